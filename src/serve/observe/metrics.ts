/** `/metrics`: figures of the server in the text format of Prometheus. The library is loaded with this module. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DoneEvent, Event } from '../../contract/event.js';
import type { Core } from '../../runs/core.js';
import type { WatchTurn } from '../../runs/watch-turn.js';
import { Problem, type RenderProblem } from '../listen/problem.js';
import type { Surface } from '../listen/surface.js';

export interface Metrics {
  watch: WatchTurn;
  /** A write or a read of the store failed. */
  storeFailed(): void;
  /** An HTTP request was answered. */
  answered(surface: string, status: number, ms: number): void;
  /** `/metrics`, with figures that are taken when they are asked for. */
  surface(core: Core, degraded: () => string | null): Surface;
}

export interface MetricsOptions {
  version: string;
  /** Whether a runtime is one of ours: what callers make up must not become the name of a series. */
  isRuntime(id: string): boolean;
}

/** Seconds: from a refusal to an hour of work. */
const TURN_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const REQUEST_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

const problem: RenderProblem = ({ status, message }) => ({ status, body: { kind: 'error', message } });

/** What is looked at when somebody asks. */
function gauges(registers: Registry[], core: Core, degraded: () => string | null): void {
  new Gauge({
    name: 'turnout_turns_now',
    help: 'Turns by what they do: queued, running, waiting for a person or a reader.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { queued, running, waiting } = await core.dispatch.load();
      this.set({ state: 'queued' }, queued);
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'turnout_store_degraded',
    help: '1 while the store does not do its work.',
    registers,
    collect() {
      this.set(degraded() === null ? 0 : 1);
    },
  });
}

export function serverMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Event loop delay, memory, garbage collection, open files.
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'turnout_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set(
    { version: options.version },
    1,
  );
  const storeErrors = new Counter({ name: 'turnout_store_errors_total', help: 'Failures of the store.', registers });
  const events = new Counter({
    name: 'turnout_events_total',
    help: 'Events of turns.',
    labelNames: ['type'],
    registers,
  });
  const turns = new Counter({
    name: 'turnout_turns_total',
    help: 'Turns that ended, by their stop reason and their error, if any.',
    labelNames: ['runtime', 'stop_reason', 'error'],
    registers,
  });
  const seconds = new Histogram({
    name: 'turnout_turn_duration_seconds',
    help: 'How long turns took.',
    labelNames: ['runtime'],
    buckets: TURN_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: 'turnout_tokens_total',
    help: 'Tokens that runtimes reported: input (cached ones included), output, cached.',
    labelNames: ['runtime', 'kind'],
    registers,
  });
  const cost = new Counter({
    name: 'turnout_cost_usd_total',
    help: 'Cost that runtimes reported.',
    labelNames: ['runtime'],
    registers,
  });
  const unreported = new Counter({
    name: 'turnout_turns_unreported_total',
    help: 'Turns whose tokens or cost are unknown, and so not in the sums.',
    labelNames: ['runtime', 'what'],
    registers,
  });
  const requests = new Histogram({
    name: 'turnout_http_request_duration_seconds',
    help: 'HTTP requests until the answer was out.',
    labelNames: ['surface', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });

  function sum(runtime: string, { totals }: DoneEvent): void {
    const input = totals?.input_tokens ?? null;
    const output = totals?.output_tokens ?? null;
    if (input === null || output === null) unreported.inc({ runtime, what: 'tokens' });
    if (input !== null) tokens.inc({ runtime, kind: 'input' }, input);
    if (output !== null) tokens.inc({ runtime, kind: 'output' }, output);
    const cached = totals?.cached_tokens ?? null;
    if (cached !== null) tokens.inc({ runtime, kind: 'cached' }, cached);
    const usd = totals?.cost_usd ?? null;
    if (usd === null) unreported.inc({ runtime, what: 'cost' });
    else cost.inc({ runtime }, usd);
  }
  const watch: WatchTurn = (plan) => {
    const name = (id: string) => (options.isRuntime(id) ? id : 'other');
    let runtime = name(plan.request.runtime);
    let error = '';
    let over = false;
    return (event: Event) => {
      if (over) return;
      events.inc({ type: event.type });
      if (event.type === 'start') runtime = name(event.runtime);
      if (event.type === 'error' && event.code !== 'bad-frame') error = event.code;
      if (event.type !== 'done') return;
      over = true;
      turns.inc({ runtime, stop_reason: event.stop_reason, error });
      seconds.observe({ runtime }, event.duration_ms / 1000);
      sum(runtime, event);
    };
  };

  return {
    watch,
    storeFailed: () => storeErrors.inc(),
    answered: (surface, status, ms) => requests.observe({ surface, status: String(status) }, ms / 1000),
    surface(core, degraded) {
      gauges(registers, core, degraded);
      return metricsSurface(registry);
    },
  };
}

function metricsSurface(registry: Registry): Surface {
  return {
    name: 'metrics',
    under: ['/metrics'],
    problem,
    routes: [
      {
        method: 'GET',
        path: '/metrics',
        auth: 'key',
        async handle({ principal }) {
          // They sum up what all callers did.
          if (principal.kind !== 'owner') throw new Problem('forbidden', "the server's own token is needed");
          return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
        },
      },
    ],
  };
}
