/** The parts a turn is made of, each told only what it needs. */

import type { TurnErrorCode } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import { asksBeyond } from '../runner/request.js';
import { type Calls, calls } from './calls.js';
import { type Saying, saying } from './emitter.js';
import type { TurnInput } from './input.js';
import { type Inquiries, inquiries } from './inquiries.js';
import { type Ledger, ledger } from './ledger.js';
import { type Permissions, permissions } from './permissions.js';
import { type Retries, retries } from './retries.js';
import { type StderrTail, stderrTail } from './stderr-tail.js';
import { type UnreadLines, unreadLines } from './unread.js';
import { wired } from './wire.js';

export interface Parts {
  say: Saying;
  calls: Calls;
  permissions: Permissions;
  inquiries: Inquiries;
  ledger: Ledger;
  retries: Retries;
  stderr: StderrTail;
  unread: UnreadLines;
  /** The host owes an answer. */
  waiting(): boolean;
  /** Nothing was said and no tool was called yet. */
  silent(): boolean;
}

export function parts(
  input: TurnInput,
  emit: (event: Event) => void,
  fail: (code: TurnErrorCode, message: string) => void,
): Parts {
  const { runner, world } = input;
  const { request } = input.admitted;
  const failSession = (message: string) => fail('session-not-found', message);
  const say = saying({ runner, request, world, emit, failSession });
  const called = calls({
    toolbox: input.tools?.toolbox ?? { declared: () => undefined, names: () => [], violation: () => null },
    timeoutMs: request.toolTimeoutMs,
    after: world.after,
    emit(event) {
      if (event.type === 'tool_call') say.rounds.toolStart();
      else say.rounds.toolEnd();
      emit(event);
    },
    notice: (code, message) => say.say({ type: 'notice', code, message }),
  });
  const asked = permissions({
    context: {
      mode: request.access,
      writesInside: request.sandbox === 'workspace-write',
      bashPrefixes: request.allowBashPrefix,
      // Which of its shells a program takes there is its own choice.
      shell: input.machine.platform === 'win32' ? 'unknown' : 'posix',
      mcpServers: request.mcpServers.map((server) => server.name),
      walled: input.machine.confined !== undefined,
      planted: (program) => world.planted?.(program) ?? false,
      inside(path) {
        const inside = world.inside(path);
        input.tap?.({ k: 'inside', path, inside });
        return inside;
      },
      steers(path) {
        const steers = world.steers(path);
        input.tap?.({ k: 'steers', path, steers });
        return steers;
      },
    },
    asksHost: asksBeyond(request),
    policy: input.policy,
    emit,
  });
  const inquired = inquiries({
    asksHost: request.questions === 'stdio',
    emit,
    notice: (code, message) => say.say({ type: 'notice', code, message }),
    after: world.after,
  });
  return {
    say,
    calls: called,
    permissions: asked,
    inquiries: inquired,
    ledger: input.wire ? wired(ledger(), input.wire) : ledger(),
    retries: retries(),
    stderr: stderrTail(),
    unread: unreadLines(input.mask),
    waiting: () => called.open() > 0 || asked.open() > 0 || inquired.open() > 0,
    silent: () => !say.evidence() && !called.any(),
  };
}
