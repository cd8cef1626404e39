import { type Asking, type Bench, describe, type Outcome } from '../harness/bench.js';
import type { TurnEvent } from '../harness/stream.js';
import type { Live } from '../harness/turn.js';
import type { Scenario } from './scenario.js';

const definitions = [
  {
    name: 'create_nodes',
    description: 'Creates nodes in the graph.',
    schema: {
      type: 'object',
      properties: {
        nodes: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
      required: ['nodes'],
    },
  },
  {
    name: 'look_up',
    description: 'Looks a word up.',
    schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
  {
    name: 'take_text',
    description: 'Takes a text.',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
];

const toolFlags = (bench: Bench): string[] => [
  '--tools',
  'stdio',
  '--tools-file',
  bench.write('tools.json', JSON.stringify(definitions)),
];

export const result = (id: unknown, text: string, ok = true): object => ({
  v: 1,
  type: 'tool_result',
  id,
  ok,
  result: { text },
});

const textOf = (event: TurnEvent | undefined): string => {
  const told: unknown = event?.result;
  return told instanceof Object && 'text' in told ? String(told.text) : '';
};

export type OnCall = (call: TurnEvent, live: Live) => void;

/** A turn with caller tools on; `onCall` is the host's part. */
export function toolTurn(bench: Bench, order: string, onCall: OnCall, asking: Asking = {}): Promise<Outcome> {
  return bench.turn(order, {
    stdin: 'frames',
    ...asking,
    flags: [...toolFlags(bench), ...(asking.flags ?? [])],
    onEvent: (event, live) => {
      if (event.type === 'tool_call') onCall(event, live);
      asking.onEvent?.(event, live);
    },
  });
}

function expectDone(bench: Bench, outcome: Outcome, ...said: string[]): void {
  bench.check('exit', outcome.code === 0, describe(outcome));
  for (const words of said)
    bench.check(
      'told',
      outcome.text.includes(words),
      `the model was told ${JSON.stringify(outcome.text.slice(0, 300))}`,
    );
  bench.check(
    'once',
    outcome.of('tool_activity').every((event) => !/create_nodes|look_up/.test(String(event.name))),
    'a caller tool is also reported as native activity',
  );
}

const awkward = 'quotes "\' back\\slash\nnew line ```js\nfenced()\n``` \u{1F469}\u200D\u{1F52C} \u2028 </tool> {"a":1}';

export const callerToolScenarios: readonly Scenario[] = [
  {
    name: 'tool',
    title: 'A caller tool is offered with its schema, called and answered',
    core: true,
    async run(bench) {
      const args = { nodes: [{ name: awkward }] };
      const outcome = await toolTurn(bench, `tool create_nodes ${JSON.stringify(args)}`, (call, live) =>
        live.frame(result(call.id, 'NODES-CREATED')),
      );
      const calls = outcome.of('tool_call');
      bench.check(
        'call',
        calls.length === 1 && calls[0]?.name === 'create_nodes',
        `tool_call events: ${JSON.stringify(calls)?.slice(0, 300)}`,
      );
      bench.check(
        'args',
        JSON.stringify(calls[0]?.args) === JSON.stringify(args),
        `args arrived as ${JSON.stringify(calls[0]?.args)?.slice(0, 300)}`,
      );
      expectDone(bench, outcome, 'NODES-CREATED');
      // Some programs begin with a request for a title or a search, without any tools.
      const asked = outcome.requests.find((request) => (request.asked?.tools.length ?? 0) > 0)?.asked;
      const offered = asked?.tools.find((tool) => tool.name.includes('create_nodes'));
      bench.check(
        'schema',
        JSON.stringify(offered?.schema ?? null).includes('"nodes"'),
        `offered as ${JSON.stringify(offered ?? null)?.slice(0, 300)}`,
      );
    },
  },
  {
    name: 'tools-parallel',
    title: 'Two calls at once, answered in the other order',
    async run(bench) {
      const waiting: TurnEvent[] = [];
      const answer = (live: Live): void => {
        for (const call of waiting.splice(0).reverse()) live.frame(result(call.id, `ANSWER-${call.name}`));
      };
      const order = 'tools2 create_nodes {"nodes":[{"name":"a"}]} look_up {"word":"b"}';
      // A runtime may issue its calls one after another: then the first must not wait for the second.
      const outcome = await toolTurn(bench, order, (call, live) => {
        waiting.push(call);
        if (waiting.length === 2) answer(live);
        else setTimeout(() => answer(live), 3000).unref();
      });
      bench.check('calls', outcome.of('tool_call').length === 2, `${outcome.of('tool_call').length} tool_call events`);
      expectDone(bench, outcome, 'ANSWER-create_nodes', 'ANSWER-look_up');
    },
  },
  {
    name: 'tool-repair',
    title: 'Wrong arguments go back to the model and never to the host',
    async run(bench) {
      const order = 'toolrepair create_nodes {"nodes":"none"} || {"nodes":[{"name":"repaired"}]}';
      const outcome = await toolTurn(bench, order, (call, live) => live.frame(result(call.id, 'NODES-CREATED')));
      const calls = outcome.of('tool_call');
      bench.check(
        'calls',
        calls.length === 1 && JSON.stringify(calls[0]?.args).includes('repaired'),
        `tool_call events: ${JSON.stringify(calls)?.slice(0, 300)}`,
      );
      expectDone(bench, outcome, 'NODES-CREATED');
    },
  },
  {
    name: 'tool-fails',
    title: "The host's own failure reaches the model as one",
    async run(bench) {
      const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', (call, live) =>
        live.frame(result(call.id, 'no such word', false)),
      );
      expectDone(bench, outcome, 'ERROR: no such word');
    },
  },
  {
    name: 'tool-timeout',
    title: 'A host that never answers costs one call, not the turn',
    async run(bench) {
      const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', () => {}, { flags: ['--tool-timeout', '2s'] });
      expectDone(bench, outcome, 'ERROR: ');
      bench.check(
        'result',
        outcome.first('tool_result')?.ok === false,
        JSON.stringify(outcome.first('tool_result') ?? null),
      );
    },
  },
  {
    name: 'tool-frames',
    title: 'Broken frames are named and survived',
    async run(bench) {
      const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', (call, live) => {
        live.child.stdin?.write('this is no JSON\n');
        live.frame(result('tc_99', 'nobody asked'));
        live.frame({ v: 1, type: 'nonsense' });
        live.frame(result(call.id, 'WORD-FOUND'));
      });
      expectDone(bench, outcome, 'WORD-FOUND');
      const bad = outcome.of('error').filter((event) => event.code === 'bad-frame' && event.fatal === false);
      bench.check('named', bad.length === 3, `${bad.length} bad-frame errors`);
    },
  },
  {
    name: 'tool-eof',
    title: 'The host closes stdin while a call is open',
    async run(bench) {
      const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', (_call, live) => live.child.stdin?.end());
      expectDone(bench, outcome, 'ERROR: caller closed stdin');
    },
  },
  {
    name: 'tool-cancel',
    title: 'A cancel while a call is open',
    async run(bench) {
      const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', (_call, live) => {
        live.ask();
        live.frame({ v: 1, type: 'cancel' });
      });
      bench.check('exit', outcome.code === 130 && outcome.first('error')?.code === 'cancelled', describe(outcome));
      bench.check('time', (outcome.endedAfterMs ?? 9999) < 4000, `ended ${String(outcome.endedAfterMs)} ms after`);
      const closing = outcome.first('tool_result');
      bench.check('closed', closing?.ok === false, 'the open call was not closed');
      bench.check('words', textOf(closing) === 'ERROR: exec terminated', `it reads ${textOf(closing)}`);
    },
  },
  {
    name: 'tool-big',
    title: 'Arguments over the limit are refused to the model, large ones pass',
    async run(bench) {
      const large = await toolTurn(bench, 'toolbig take_text 300', (call, live) =>
        live.frame(result(call.id, 'TEXT-TAKEN')),
      );
      expectDone(bench, large, 'TEXT-TAKEN');
      const taken = large.first('tool_call')?.args as { text?: string } | undefined;
      bench.check('whole', taken?.text?.length === 300 * 1024, `${taken?.text?.length} characters arrived`);
      const take: OnCall = (call, live) => live.frame(result(call.id, 'TEXT-TAKEN'));
      const huge = await toolTurn(bench, 'toolbig take_text 950', take, { model: bench.recipe.roomyModel });
      expectDone(bench, huge, 'ERROR: arguments too large');
      bench.check('kept-back', huge.of('tool_call').length === 0, 'the call was passed on');
    },
  },
  {
    name: 'tool-resume',
    title: 'Caller tools are there again after a resume',
    async run(bench) {
      const first = await toolTurn(bench, 'tool look_up {"word":"one"}', (call, live) =>
        live.frame(result(call.id, 'FOUND-ONE')),
      );
      const id = first.first('session')?.session_id;
      if (typeof id !== 'string') return bench.check('session', false, 'the first turn has no session id');
      const onCall: OnCall = (call, live) => live.frame(result(call.id, 'FOUND-TWO'));
      const second = await toolTurn(bench, 'tool look_up {"word":"two"}', onCall, { flags: ['--resume', id] });
      expectDone(bench, second, 'FOUND-TWO');
    },
  },
  {
    name: 'tool-names',
    title: 'Tools given by name alone',
    async run(bench) {
      const outcome = await bench.turn('tool ping {"any":1}', {
        stdin: 'frames',
        flags: ['--tools', 'stdio', '--tool-names', 'ping,pong'],
        onEvent: (event, live) => {
          if (event.type === 'tool_call') live.frame(result(event.id, 'PONG'));
        },
      });
      expectDone(bench, outcome, 'PONG');
    },
  },
];
