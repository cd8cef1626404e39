/** `GET /health/detailed`: what the server is busy with. For those with a key. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Exchange } from '../listen/surface.js';
import type { Names } from './names.js';

/** A server that can't do its work says so in the body: it is there all the same. */
export async function detailed({ draining }: Exchange, core: Core, { platform }: Names): Promise<JsonObject> {
  const { places, running, waiting, queued } = await core.dispatch.load();
  const fault = core.degraded();
  const status = fault === null ? 'ok' : 'degraded';
  const store = { status, ...(fault === null ? {} : { reason: fault }) };
  const queue = { status: 'ok', places, running, waiting, queued };
  return {
    status: draining ? 'draining' : status,
    readiness: { status, checks: { store, queue } },
    platform,
    version: core.version,
    gateway_state: draining ? 'draining' : 'running',
    active_agents: running + waiting,
    gateway_busy: running + waiting > 0,
    gateway_drainable: true,
  };
}
