/** `/v1/runs`: turns that outlive the requests that began them. */

import { lastEventNumber } from '../../listen/event-stream.js';
import type { Exchange, Route } from '../../listen/surface.js';
import type { Api } from '../begin.js';
import { invalid } from '../failure.js';
import type { Names } from '../names.js';
import { callerOf } from '../requests.js';
import { get, type Handle, post } from '../routing.js';
import { answer, approve, type RunsContext, steer, stop, viewOf } from './commands.js';
import { PATIENCE_MS } from './patience.js';
import { startRun } from './start.js';
import { statusShown } from './status.js';
import { runEventStream } from './stream.js';
import { telling } from './told.js';

/** Where a reader goes on: `?after=`, or the header that browsers send by themselves. @throws ApiError 400 */
function readFrom(exchange: Exchange): number {
  const given = exchange.query.get('after');
  if (given === null) return Math.max(lastEventNumber(exchange) ?? 0, 0);
  if (!/^-?\d{1,15}$/.test(given)) throw invalid('after', 'expected the number of an event');
  return Math.max(Number(given), 0);
}

export function runRoutes(api: Api, names: Names, patienceMs = PATIENCE_MS): Route[] {
  const context: RunsContext = { api, names, telling: telling(api.core) };
  const json =
    (make: (exchange: Exchange, context: RunsContext) => Promise<object>): Handle =>
    async (exchange) =>
      Response.json(await make(exchange, context));
  return [
    post('/v1/runs', (exchange) => startRun(exchange, api, { names, patienceMs })),
    get('/v1/runs/:id', async (exchange) => Response.json(statusShown(await viewOf(exchange, context), names))),
    {
      ...get('/v1/runs/:id/events', async (exchange) => {
        const { run } = await viewOf(exchange, context);
        const reading = { run, caller: callerOf(exchange), after: readFrom(exchange) };
        return runEventStream(api.core, context.telling, exchange, reading);
      }),
      stream: 'events',
    },
    post('/v1/runs/:id/approval', json(approve)),
    post('/v1/runs/:id/answer', json(answer)),
    post('/v1/runs/:id/steer', json(steer)),
    // Whatever it brings is ignored.
    { ...get('/v1/runs/:id/stop', json(stop)), method: 'POST' },
  ];
}
