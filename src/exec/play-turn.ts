/** `--runtime replay:FILE`: a recorded turn as a runtime, for tests of hosts without tokens. */

import { readFile } from 'node:fs/promises';
import { ERROR_CODES } from '../contract/error.js';
import { type Player, player } from '../record/player.js';
import { type Recording, readRecordings, UnreadableRecording } from '../record/recording.js';
import { runners as builtin, byId } from '../registry/registry.js';
import { faultMessage } from '../runner/fault.js';
import type { TurnRequest } from '../runner/request.js';
import { isRefusal, type Runner } from '../runner/runner.js';
import { admit, nativeRequest } from '../turn/admission.js';
import type { TurnTools } from '../turn/caller-tools.js';
import { runTurn, type Turn } from '../turn/loop.js';
import { type RefusedTurn, refusedEvents } from '../turn/refusal.js';
import { answering } from '../turn/structured.js';
import type { ExecOptions } from './exec-turn.js';
import { turnTools } from './prepare-tools.js';

const REPLAY = 'replay:';

/** The turn that has this prompt, else the one that continues the same session, else the first. */
function choose(recordings: readonly Recording[], asked: TurnRequest): Recording | undefined {
  const prompt = recordings.find(({ request }) => request.prompt.trim() === asked.prompt.trim());
  if (prompt) return prompt;
  return recordings.find(({ request }) => asked.resume !== null && request.resume === asked.resume) ?? recordings[0];
}

class Refused extends Error {
  constructor(
    readonly code: RefusedTurn['code'],
    message: string,
  ) {
    super(message);
  }
}

async function read(path: string): Promise<Recording[]> {
  try {
    return readRecordings(await readFile(path, 'utf8'));
  } catch (error) {
    const what = error instanceof UnreadableRecording ? error.message : 'it can not be read';
    throw new Refused('no-runner', `${path} is no recording that can be played: ${what}`);
  }
}

function runnerOf(recording: Recording, runners: readonly Runner[]): Runner {
  const runner = byId(recording.request.runtime, runners);
  if (runner) return runner;
  throw new Refused('no-runner', `there is no runtime called ${recording.request.runtime}, which was recorded`);
}

/** Never rejects; the events tell everything. @returns the exit code */
export async function playTurn(
  options: ExecOptions,
  started: (turn: Turn) => void,
  cancelled: () => boolean,
): Promise<number> {
  const asked = options.request;
  try {
    const recording = choose(await read(asked.runtime.slice(REPLAY.length)), asked);
    if (!recording) throw new Refused('no-runner', 'there is no turn in that recording');
    const runner = runnerOf(recording, options.runners ?? builtin);
    const admitted = admit(runner, recording.request, {
      root: false,
      allowRoot: true,
      walled: recording.machine.confined !== undefined,
    });
    if (admitted.refuse !== undefined) throw new Refused(admitted.refuse, admitted.message);
    const { machine } = recording;
    // The runtime's side is the recorded one; what the host does with it is today's host's.
    const host: Partial<TurnRequest> = {
      toolsOn: asked.toolsOn,
      tools: asked.tools,
      toolTimeoutMs: asked.toolTimeoutMs,
      approvals: asked.approvals,
      ...(asked.questions === undefined ? {} : { questions: asked.questions }),
      maxTurns: asked.maxTurns,
      budgetUsd: asked.budgetUsd,
      ...(asked.budgetTokens === undefined ? {} : { budgetTokens: asked.budgetTokens }),
      ...(asked.maxToolCalls === undefined ? {} : { maxToolCalls: asked.maxToolCalls }),
    };
    const notices = [...admitted.notices];
    let running: Turn | null = null;
    const prepared = await turnTools({
      runner,
      request: { ...admitted.request, ...host },
      machine,
      version: options.version,
      transport: 'none',
      privateDir: () => Promise.reject(new Error('a recording opens no socket')),
      notice: (code, message) => (running ? running.notice(code, message) : notices.push({ code, message })),
    });
    const living = recording.entries.find((entry) => entry.k === 'living')?.state;
    const asking: TurnRequest = { ...admitted.request, ...host, tools: prepared.offered };
    const { request, conversation } = await answering(runner, nativeRequest(admitted, asking), machine, living);
    const invocation = runner.invoke(request, machine);
    if (isRefusal(invocation)) throw new Refused(invocation.refuse, invocation.message);
    if (cancelled()) throw new Refused('cancelled', 'The turn was cancelled before it started.');
    const tools: TurnTools | null = prepared.tools;
    const playing: Player = player(recording, options.speed ?? 'original', tools);
    running = runTurn({
      runner,
      admitted: {
        ...admitted,
        request: { ...request, access: asking.access, sandbox: asking.sandbox, cwd: asked.cwd },
      },
      machine,
      invocation,
      conversation,
      limits: options.limits,
      world: playing.world,
      living,
      tools,
      emit: options.emit,
      tap(entry) {
        playing.tap(entry);
        options.tap?.(entry);
      },
      mask: (text) => text,
      notices,
    });
    started(running);
    return await running.done;
  } catch (error) {
    const refused = error instanceof Refused ? error : null;
    const code = refused?.code ?? 'runner-error';
    const message = refused?.message ?? faultMessage(error);
    const { runtime, cwd, access, model, resume } = asked;
    for (const event of refusedEvents({ runtime, cwd, access, model, resume, code, message })) options.emit(event);
    return ERROR_CODES[code].exit;
  }
}
