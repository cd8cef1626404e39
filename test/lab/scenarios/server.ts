import { TEXT } from '../model/texts.js';
import { ask, eventOf, request, resultOf, start, stop } from './over-http.js';
import type { Scenario } from './scenario.js';

export const serverScenarios: readonly Scenario[] = [
  {
    name: 'server',
    title: 'the same turn over the HTTP server: text, caller tools, cancel',
    named: true,
    needs: 'agent-serve',
    smoke: true,
    async run(bench) {
      const server = await start(bench);
      try {
        const told = await ask(server, request(bench, 'text'));
        const types = told.filter((line) => line.kind === 'event').map((line) => eventOf(line).type);
        bench.check('text', resultOf(told).text === TEXT, `result: ${JSON.stringify(resultOf(told)).slice(0, 300)}`);
        bench.check('order', types[0] === 'start' && types.at(-1) === 'done', types.join(' '));

        const tools = [{ name: 'look_up', description: 'Looks a word up.', schema: { type: 'object' } }];
        let run: unknown;
        const called = await ask(server, { ...request(bench, 'tool look_up {"word":"a"}'), tools }, (line) => {
          run ??= line.run_id;
          const event = eventOf(line);
          if (event.type === 'tool_call')
            void ask(server, { op: 'tool_result', run_id: run, call_id: event.id, result: 'found over http' });
        });
        bench.check(
          'tools',
          String(resultOf(called).text).includes('found over http') && resultOf(called).exit_code === 0,
          `result: ${JSON.stringify(resultOf(called)).slice(0, 300)}`,
        );

        let hanging: unknown;
        const cancelled = await ask(server, request(bench, 'hang'), (line) => {
          hanging ??= line.run_id;
          if (eventOf(line).type === 'start') void ask(server, { op: 'cancel', run_id: hanging });
        });
        bench.check(
          'cancel',
          resultOf(cancelled).status === 'cancelled',
          JSON.stringify(resultOf(cancelled)).slice(0, 300),
        );
      } finally {
        await stop(server);
      }
    },
  },
];
