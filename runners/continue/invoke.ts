/**
 * How Continue is started (1.5.47). The system prompt is a rule in a file. The prompt can't go over stdin: it may be read
 * before it is there, or be lost.
 */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Arg, Invocation, Refusal } from '../../src/runner/runner.js';
import { notACommand, tooLongForArgv } from '../dialects/argv-prompt.js';

/** Waits for a person, or ends the program with a code of the model's choice. */
const UNFIT = ['AskQuestion', 'Exit'];
/** Everything that does more than read. What is excluded is not offered; with `--readonly` nothing would be excluded. */
const BEYOND_READING = [
  'Bash',
  'CheckBackgroundJob',
  'Edit',
  'Fetch',
  'MultiEdit',
  'ReportFailure',
  'Subagent',
  'UploadArtifact',
  'Write',
];

function onlyReads({ access, sandbox }: TurnRequest): boolean {
  return access !== 'full' || sandbox === 'read-only';
}

/** Where its sessions are; null when a variable whose value is not known here moves them. */
export function sessionFile(machine: Machine, id: string): string | null {
  if (machine.envNames.has('CONTINUE_GLOBAL_DIR')) return null;
  return [machine.home, '.continue', 'sessions', `${id}.json`].join(machine.platform === 'win32' ? '\\' : '/');
}

/** The id of a session this turn begins or goes on with. */
export function sessionId(request: TurnRequest, machine: Machine): string {
  return request.resume ?? machine.ids.session;
}

function refusal(request: TurnRequest, machine: Machine): Refusal | null {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'continue takes MCP servers from its configuration file alone' };
  }
  const long = tooLongForArgv('continue', request.prompt);
  if (long !== null || request.resume === null) return long;
  if (sessionFile(machine, request.resume) === null) {
    const message = 'continue can resume a session only while CONTINUE_GLOBAL_DIR is not set';
    return { refuse: 'unsupported', message };
  }
  // It becomes part of a path.
  if (/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(request.resume)) return null;
  return { refuse: 'unsupported', message: `${request.resume} is not a session id of continue` };
}

/** The turn itself. */
export function mainInvocation(request: TurnRequest, machine: Machine): Invocation {
  const { program } = machine;
  const file = sessionFile(machine, sessionId(request, machine));
  const excluded = onlyReads(request) ? [...UNFIT, ...BEYOND_READING] : UNFIT;
  const rule: Arg[] = request.system === null ? [] : ['--rule', { file: 'system' }];
  return {
    argv: [
      program.path,
      ...program.args,
      ...(onlyReads(request) ? [] : ['--auto']),
      ...excluded.flatMap((tool) => ['--exclude', tool]),
      // Models by the name of the vendor's hub; any other is ignored by the program.
      ...(request.model === null ? [] : ['--model', request.model]),
      ...rule,
      ...(request.resume === null ? [] : ['--resume']),
      '-p',
      '--',
      notACommand(request.prompt),
    ],
    env: {
      // A session gets the id we choose, and `--resume` takes that one instead of the last.
      CONTINUE_CLI_TEST_SESSION_ID: sessionId(request, machine),
      CONTINUE_CLI_AUTO_UPDATED: 'true',
      CONTINUE_CLI_ENABLE_TELEMETRY: '0',
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_CLI_DISABLE_COMMIT_SIGNATURE: '1',
    },
    stdin: 'null',
    stdout: 'file',
    ...(request.system === null ? {} : { files: { system: { name: 'system.md', text: request.system } } }),
    ...(file === null ? {} : { collect: { session: file } }),
  };
}

/**
 * With an id it does not know, `--resume` would continue the most recent session. So an idle process of our own runs
 * first: its exit brings the session's file as it is now, or shows that there is none.
 */
export function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  const refused = refusal(request, machine);
  if (refused !== null) return refused;
  const file = request.resume === null ? null : sessionFile(machine, request.resume);
  if (file === null) return mainInvocation(request, machine);
  return {
    argv: [...machine.turnout, '--version'],
    env: {},
    stdin: 'null',
    stdout: 'pipe',
    collect: { session: file },
  };
}
