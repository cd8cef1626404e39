/**
 * OpenTelemetry, when the environment asks for it: spans go to the collector that the variables of its specification name
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`, `OTEL_SERVICE_NAME`, …), over HTTP. The packages are optional.
 */

import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Log } from '../../output/log.js';
import type { WatchTurn } from '../../runs/watch-turn.js';
import { turnSpans } from './spans.js';

export interface Telemetry {
  watch: WatchTurn;
  /** Sends what is left, five seconds at most. */
  close(): Promise<void>;
}

const PACKAGES = ['@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources'];
const CLOSE_MS = 5000;

/** Whether the environment asks for spans. */
export function wantsTelemetry(env: NodeJS.ProcessEnv): boolean {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const off = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  return endpoint !== '' && !off;
}

/** Why there are no spans although they were asked for: the message says what to install. */
export class TelemetryError extends Error {}

async function load() {
  try {
    return await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new TelemetryError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry can't be loaded (${why}); ` +
        `install it beside turnout: npm install ${PACKAGES.join(' ')}, or unset the variable`,
      { cause: error },
    );
  }
}

/** @param version our own @throws TelemetryError */
export async function openTelemetry(version: string, log: Log): Promise<Telemetry> {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, resources] = await load();
  let told = '';
  const complain = (message: string): void => {
    // A collector that is away fails every few seconds.
    if (message === told) return;
    told = message;
    log.warn(`spans were not sent: ${message}`);
  };
  const silent = () => {};
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const ours = resources.resourceFromAttributes({ 'service.name': 'turnout', 'service.version': version });
  const provider = new TracerProvider({
    resource: resources.defaultResource().merge(ours).merge(given),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return {
    watch: turnSpans(provider.getTracer('turnout', version)),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          complain(`the collector did not take them within ${CLOSE_MS / 1000} s`);
          resolve();
        }, CLOSE_MS);
      });
      const sent = provider.shutdown().catch((error: unknown) => complain(String(error)));
      await Promise.race([sent, late]);
      clearTimeout(timer);
    },
  };
}
