import { ask, eventOf, type Line, request, resultOf, start, stop } from './over-http.js';
import type { Scenario } from './scenario.js';

const startOf = (lines: readonly Line[]): Line => lines.map(eventOf).find((event) => event.type === 'start') ?? {};

/** Milliseconds from the request to the first word. */
async function timed(server: Parameters<typeof ask>[0], what: object): Promise<{ lines: Line[]; firstMs: number }> {
  const began = performance.now();
  let firstMs = Number.NaN;
  const lines = await ask(server, what, (line) => {
    if (Number.isNaN(firstMs) && eventOf(line).type === 'assistant') firstMs = performance.now() - began;
  });
  return { lines, firstMs: Math.round(firstMs) };
}

export const warmScenarios: readonly Scenario[] = [
  {
    name: 'warm',
    title: 'later turns of a session on the same program: memory, cancel, death between turns, nothing left',
    named: true,
    needs: 'agent-serve',
    // Programs whose runner says that they can be kept, and that were seen to be.
    only: ['claude', 'codex', 'gemini', 'opencode'],
    async run(bench) {
      const server = await start(bench);
      let session = '';
      const turn = (order: string) =>
        timed(server, { ...request(bench, order), ...(session === '' ? {} : { session }) });
      try {
        const first = await turn('text');
        session = String(first.lines.find((line) => line['session_id'] !== undefined)?.session_id ?? '');
        bench.check('session', session !== '', JSON.stringify(first.lines[0]).slice(0, 300));
        // A session that is continued is a conversation: from here on its program is kept.
        const second = await turn('text');
        const third = await turn('text');
        const kept = startOf(second.lines).child_pid;
        bench.check(
          'warm',
          startOf(third.lines).warm === true && startOf(third.lines).child_pid === kept,
          `${kept}: ${JSON.stringify(startOf(third.lines))}`,
        );
        bench.check('text', resultOf(third.lines).exit_code === 0, JSON.stringify(resultOf(third.lines)).slice(0, 300));
        const counts = third.lines
          .map(eventOf)
          .filter(({ type }) => type === 'start' || type === 'done' || type === 'session');
        bench.check(
          'one start, one session, one done',
          counts.length === 3,
          JSON.stringify(counts.map(({ type }) => type)),
        );

        let run: unknown;
        const cancelled = await ask(server, { ...request(bench, 'hang'), session }, (line) => {
          run ??= line.run_id;
          if (eventOf(line).type === 'start') void ask(server, { op: 'cancel', run_id: run });
        });
        bench.check(
          'cancel',
          resultOf(cancelled).status === 'cancelled',
          JSON.stringify(resultOf(cancelled)).slice(0, 300),
        );
        const after = await turn('text');
        bench.check(
          'after a cancel',
          resultOf(after.lines).exit_code === 0,
          JSON.stringify(resultOf(after.lines)).slice(0, 300),
        );

        const pid = Number(startOf(after.lines).child_pid);
        process.kill(pid, 'SIGKILL');
        const again = await turn('text');
        bench.check(
          'after a death',
          resultOf(again.lines).exit_code === 0,
          JSON.stringify(resultOf(again.lines)).slice(0, 300),
        );
        // Compared, not measured: the machine may be busy.
        bench.check(
          'first word',
          third.firstMs < second.firstMs,
          `resumed ${second.firstMs} ms, warm ${third.firstMs} ms`,
        );
      } finally {
        await stop(server);
      }
    },
  },
];
