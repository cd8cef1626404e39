/** All that looks on while a server works: metrics where somebody can fetch them, spans where they are asked for. */

import type { Log } from '../../output/log.js';
import { together, type WatchTurn } from '../../runs/watch-turn.js';
import type { Metrics } from './metrics.js';
import type { Telemetry } from './telemetry.js';

export interface Observers {
  watch: WatchTurn | undefined;
  /** Null: nobody can fetch them. */
  metrics: Metrics | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface ObserverOptions {
  env: NodeJS.ProcessEnv;
  version: string;
  /** Whether there is a listener that carries `/metrics`. */
  http: boolean;
  isRuntime(id: string): boolean;
  log: Log;
}

async function spans({ env, version, log }: ObserverOptions): Promise<Telemetry | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  if ((all ?? '') === '' && (own ?? '') === '') return null;
  const { openTelemetry, TelemetryError, wantsTelemetry } = await import('./telemetry.js');
  if (!wantsTelemetry(env)) return null;
  try {
    return await openTelemetry(version, log);
  } catch (error) {
    if (!(error instanceof TelemetryError)) throw error;
    // The variable may be meant for other programs: the server works without spans.
    log.warn(error.message);
    return null;
  }
}

export async function openObservers(options: ObserverOptions): Promise<Observers> {
  const { version, isRuntime } = options;
  const metrics = options.http ? (await import('./metrics.js')).serverMetrics({ version, isRuntime }) : null;
  const telemetry = await spans(options);
  return {
    watch: together([metrics, telemetry].flatMap((one) => (one ? [one.watch] : []))),
    metrics,
    close: async () => telemetry?.close(),
  };
}
