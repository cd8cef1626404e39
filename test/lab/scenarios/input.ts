import { describe } from '../harness/bench.js';
import { visibleInArguments } from '../harness/processes.js';
import { holds } from '../model/request-log.js';
import { TEXT } from '../model/texts.js';
import type { Scenario } from './scenario.js';

/** 300 KB of what breaks on the way through shells, argument lists and line readers. */
function awkwardText(): string {
  const line =
    'CRLF\r\nlone CR\rtab\tquotes "\' `$HOME` %PATH% 100% \\n back\\slash \u{1F469}\u200D\u{1F52C} \u6F22\u5B57 -- --flag $(id) {"a":1}\n';
  return line.repeat(Math.ceil(300_000 / Buffer.byteLength(line)));
}

const secret = 'NEVER-IN-ARGUMENTS';

export const inputScenarios: readonly Scenario[] = [
  {
    name: 'big-prompt',
    title: 'A prompt of 300 KB arrives unharmed and is not in the process list',
    async run(bench) {
      const text = `${secret}\n${awkwardText()}`;
      let seen = false;
      const outcome = await bench.turn('text', {
        rest: text,
        onEvent: (event, live) => {
          if (event.type === 'assistant' && !seen) seen = visibleInArguments(live.marker, secret);
        },
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('text', outcome.text === TEXT, `the answer is ${JSON.stringify(outcome.text.slice(0, 100))}`);
      bench.check(
        'exact',
        outcome.requests.some((request) => holds(request.body, outcome.prompt)),
        'no request holds the prompt as it was',
      );
      bench.check('hidden', !seen, 'the prompt is in the arguments of a process');
    },
  },
  {
    name: 'stdin-open',
    title: 'A stdin that nobody closes does not stop the turn',
    async run(bench) {
      const outcome = await bench.turn('text', { stdin: 'open' });
      bench.check('exit', outcome.code === 0 && outcome.text === TEXT, describe(outcome));
    },
  },
  {
    name: 'odd-cwd',
    title: 'A folder with blanks and other scripts in its name',
    async run(bench) {
      const outcome = await bench.turn('shell pwd', {
        cwd: 'a folder \u00E9\u6F22\u{1F600}',
        flags: ['--access', 'full', '--allow-root'],
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check(
        'told',
        outcome.text.includes('a folder \u00E9\u6F22\u{1F600}'),
        `the shell ran in ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'resume',
    title: 'A second turn continues the conversation',
    core: true,
    async run(bench) {
      const first = await bench.turn('text first-of-two');
      const id = first.first('session')?.session_id;
      bench.check('session', typeof id === 'string' && id !== '', 'the first turn has no session id');
      if (typeof id !== 'string') return;
      const second = await bench.turn('remember', { flags: ['--resume', id] });
      bench.check('exit', second.code === 0, describe(second));
      bench.check(
        'same',
        second.of('session').every((event) => event.session_id === id),
        `another session: ${JSON.stringify(second.of('session'))}`,
      );
      bench.check(
        'remembers',
        second.text.includes('first-of-two'),
        `the model saw ${JSON.stringify(second.text.slice(0, 200))}`,
      );
      bench.check('no-replay', !second.text.includes(TEXT), 'the old answer was printed again');
    },
  },
  {
    name: 'resume-unknown',
    title: 'A session that does not exist',
    async run(bench) {
      const outcome = await bench.turn('text', { flags: ['--resume', '00000000-0000-4000-8000-000000000000'] });
      bench.check('code', outcome.first('error')?.code === 'session-not-found', describe(outcome));
    },
  },
];
