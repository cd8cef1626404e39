/** Turns that a program of the protocol is put through, and what must come of each. */

import { arr, num, obj, parseJson, str } from '../text/json.js';
import { exits, fails, first, noResult, of, result, says, turn, withTools } from './judge.js';
import { streamFault } from './stream-rules.js';
import type { Call, Outcome, Subject } from './subject.js';

export interface Scenario {
  id: string;
  /** What a program that passes does. */
  rule: string;
  call(subject: Subject): Call;
  /** @returns what is wrong beside what holds for every stream, null when nothing is */
  judge(outcome: Outcome, subject: Subject): string | null;
  /** Its answer is a stream of events (yes when absent). */
  streams?: false;
}

/** Milliseconds from a cancel to the exit. */
const CANCEL_MS = 5000;

/** A time that was never measured is a fault, too. */
const endsSoon = ({ after }: Outcome) =>
  [
    after !== null && after <= CANCEL_MS,
    after === null ? 'ended before it was cancelled' : `takes ${Math.round(after)} ms`,
  ] as const;

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'handshake',
    rule: '--version --json prints one object with v, version and capabilities',
    streams: false,
    call: () => ({ args: ['--version', '--json'], stdin: 'none' }),
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        [outcome.lines.length === 1 && outcome.events.length === 1, 'does not print exactly one JSON line'],
        [outcome.events[0]?.['v'] === 1, 'has no v:1'],
        [/^\d+\.\d+\.\d+/.test(str(outcome.events[0], 'version') ?? ''), 'has no version'],
        ...['agent-exec', 'agent-scan'].map(
          (name) =>
            [JSON.stringify(outcome.events[0]?.['capabilities'] ?? []).includes(`"${name}"`), `lacks ${name}`] as const,
        ),
      ),
  },
  {
    id: 'scan',
    rule: 'agent scan --json lists the runtime, and a report for each of its sandbox modes',
    streams: false,
    call: () => ({ args: ['agent', 'scan', '--json'], stdin: 'none' }),
    judge(outcome, { runtime }) {
      const whole = parseJson(outcome.lines.join('\n'));
      if (whole === undefined) return 'does not print a JSON document';
      const agents = arr(whole, 'agents');
      if (agents === undefined) return 'has no list of agents';
      const found = agents.find((one) => str(one, 'id') === runtime);
      // Built-in runtimes for tests need not be listed.
      if (found === undefined) return runtime === 'demo' ? null : `does not list ${runtime}`;
      const modes = JSON.stringify(arr(found, 'sandbox_modes') ?? []);
      const reports = JSON.stringify(Object.keys(obj(found, 'sandbox_mode_reports') ?? {}));
      return first(exits(outcome, 0), [modes === reports, `has modes ${modes} and reports ${reports}`]);
    },
  },
  {
    id: 'success',
    rule: 'a turn without tools: session, text, usage, result, done 0',
    call: (subject) => ({ args: turn(subject, 'say hello from the model'), stdin: 'none' }),
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        [of(outcome, 'session').length === 1, 'tells no session'],
        says(outcome, 'hello from the model'),
        [str(of(outcome, 'result')[0], 'stop_reason') === 'end_turn', 'does not end with end_turn'],
      ),
  },
  {
    id: 'tool-loop',
    rule: 'a call of the caller’s tool is tc_1, its answer is echoed and reaches the model',
    call: (subject) =>
      withTools(subject, 'tool create_nodes {"count":2}', (event, host) => {
        if (event['type'] === 'tool_call')
          host.send(result(event['id'], `created ${num(event, 'args', 'count')} nodes`));
      }),
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        [str(of(outcome, 'tool_call')[0], 'id') === 'tc_1', 'has no call tc_1'],
        [str(of(outcome, 'tool_call')[0], 'name') === 'create_nodes', 'gives the tool another name'],
        [of(outcome, 'tool_activity').length === 0, 'reports the call as a native tool, too'],
        [str(of(outcome, 'tool_result')[0], 'result', 'text') === 'created 2 nodes', 'does not echo the answer'],
        says(outcome, 'created 2 nodes'),
      ),
  },
  {
    id: 'tool-error',
    rule: 'an answer with ok:false reaches the model with ERROR: in front',
    call: (subject) =>
      withTools(subject, 'tool lookup {}', (event, host) => {
        if (event['type'] === 'tool_call') host.send(result(event['id'], 'no such record', false));
      }),
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        [of(outcome, 'tool_result')[0]?.['ok'] === false, 'echoes the answer as a good one'],
        [
          (str(of(outcome, 'tool_result')[0], 'result', 'text') ?? '').startsWith('ERROR:'),
          'does not put ERROR: in front',
        ],
      ),
  },
  {
    id: 'bad-frame',
    rule: 'a broken line is bad-frame, not fatal, and the turn goes on',
    call: (subject) => {
      let isBroken = false;
      return withTools(subject, 'tool create_nodes {"count":2}', (event, host) => {
        if (event['type'] === 'tool_call' && !isBroken) {
          isBroken = true;
          host.send('this is no frame');
          host.send(result('tc_99', 'nobody asked'));
        }
        if (event['code'] === 'bad-frame') host.send(result('tc_1', 'created 2 nodes'));
      });
    },
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        fails(outcome, 'bad-frame'),
        [of(outcome, 'error').every(({ fatal }) => fatal === false), 'calls it fatal'],
        says(outcome, 'created 2 nodes'),
      ),
  },
  {
    id: 'closed-stdin',
    rule: 'a caller that leaves fails its open calls with ERROR: caller closed stdin',
    call: (subject) =>
      withTools(subject, 'tool lookup {}', (event, host) => {
        if (event['type'] === 'tool_call') host.closeStdin();
      }),
    judge: (outcome) =>
      first([
        str(of(outcome, 'tool_result')[0], 'result', 'text') === 'ERROR: caller closed stdin',
        'does not close the call with those words',
      ]),
  },
  {
    id: 'parallel-calls',
    rule: 'calls of one message all go out before an answer is awaited; answers are matched by id',
    call: (subject) => {
      const open: unknown[] = [];
      return withTools(
        subject,
        'tools create_nodes {"count":1} & lookup {}',
        (event, host) => {
          if (event['type'] !== 'tool_call') return;
          open.push(event['id']);
          if (open.length < 2) return;
          for (const id of open.splice(0).reverse()) host.send(result(id, `answer of ${id}`));
        },
        '--tool-timeout',
        '20s',
      );
    },
    judge: (outcome) =>
      first(
        exits(outcome, 0),
        [of(outcome, 'tool_call').length === 2, 'holds the second call back'],
        [
          of(outcome, 'tool_result').every((one) => str(one, 'result', 'text') === `answer of ${String(one['id'])}`),
          'mixes the answers up',
        ],
      ),
  },
  {
    id: 'max-turns',
    rule: '--max-turns ends the turn: result error with stop_reason max_turns, exit 1',
    call: (subject) =>
      withTools(
        subject,
        'tool create_nodes {"count":1} then tool lookup {} then tool lookup {}',
        (event, host) => {
          if (event['type'] === 'tool_call') host.send(result(event['id'], 'done'));
        },
        ...['--max-turns', '1'],
      ),
    judge: (outcome) =>
      first(exits(outcome, 1), [
        str(of(outcome, 'result')[0], 'stop_reason') === 'max_turns',
        'has no result with max_turns',
      ]),
  },
  {
    id: 'fatal-auth',
    rule: 'a refused key is auth, fatal, exit 1, without a result',
    call: (subject) => ({ args: turn(subject, 'auth'), stdin: 'none' }),
    judge: (outcome) =>
      first(
        exits(outcome, 1),
        fails(outcome, 'auth'),
        [of(outcome, 'error').some(({ code, fatal }) => code === 'auth' && fatal === true), 'does not call it fatal'],
        noResult(outcome),
      ),
  },
  {
    id: 'secrets',
    rule: 'no error shows the key',
    call: (subject) => ({ args: turn(subject, 'auth'), stdin: 'none' }),
    judge: ({ lines, stderr }, { key }) =>
      first([![...lines, stderr].some((text) => text.includes(key)), 'prints the key']),
  },
  {
    id: 'empty-answer',
    rule: 'a model that says nothing is an error, not a success without a word',
    call: (subject) => ({ args: turn(subject, 'silent'), stdin: 'none' }),
    judge: (outcome) => first(fails(outcome, 'runner-error'), exits(outcome, 1)),
  },
  {
    id: 'timeout',
    rule: '--timeout ends the turn: error timeout, exit 124, no result',
    call: (subject) => ({ args: turn(subject, 'hang', '--timeout', '5s'), stdin: 'none' }),
    judge: (outcome) => first(exits(outcome, 124), fails(outcome, 'timeout'), noResult(outcome)),
  },
  {
    id: 'cancel',
    rule: 'a cancel closes open calls with ERROR: exec terminated, and ends within 5 s: exit 130, no result',
    call: (subject) =>
      withTools(subject, 'tool lookup {}', (event, host) => {
        if (event['type'] !== 'tool_call') return;
        host.mark();
        host.send({ v: 1, type: 'cancel' });
      }),
    judge: (outcome) =>
      first(
        exits(outcome, 130),
        fails(outcome, 'cancelled'),
        noResult(outcome),
        [
          str(of(outcome, 'tool_result')[0], 'result', 'text') === 'ERROR: exec terminated',
          'does not close the open call with those words',
        ],
        endsSoon(outcome),
      ),
  },
  {
    id: 'cancel-without-tools',
    rule: 'a cancel works with --tools none, too',
    call: (subject) => ({
      args: turn(subject, 'hang'),
      stdin: 'open',
      react(event, host) {
        if (event['type'] !== 'session' && event['type'] !== 'start') return;
        host.mark();
        host.send({ v: 1, type: 'cancel' });
      },
    }),
    judge: (outcome) => first(exits(outcome, 130), fails(outcome, 'cancelled'), endsSoon(outcome)),
  },
  {
    id: 'no-runner',
    rule: 'an unknown runtime is no-runner: exit 2, and the stream ends with done',
    call: (subject) => ({ args: turn({ ...subject, runtime: 'no-such-runtime' }, 'hello'), stdin: 'none' }),
    judge: (outcome) => first(exits(outcome, 2), fails(outcome, 'no-runner')),
  },
];

/** @returns what is wrong, null when nothing is */
export function verdict(scenario: Scenario, outcome: Outcome, subject: Subject): string | null {
  if (outcome.late) return 'never ends';
  return (scenario.streams === false ? null : streamFault(outcome)) ?? scenario.judge(outcome, subject);
}
