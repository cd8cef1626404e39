/** What a tool is given besides its arguments, whatever era and transport the caller speaks. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type ElicitResult,
  type McpRequestContext,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { readDepth } from './depth.js';
import type { McpSettings } from './settings.js';
import { PATIENCE_MS } from './waiting.js';

/** How the person at the client can be asked something. */
export type Asker =
  | { kind: 'none' }
  /** Handshake revisions: a request of ours while the call goes on. */
  | { kind: 'push'; ask(form: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> }
  /** 2026-07-28: the call ends with the question, and is made again with the answer. */
  | { kind: 'retry' };

export interface Call {
  settings: McpSettings;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Tells what goes on; null when the caller did not ask for that. */
  progress: ((message: string) => void) | null;
  asker: Asker;
  /** Answers to what an earlier try of this call asked. */
  responses: Record<string, unknown> | undefined;
  /** The handle that an earlier try gave. */
  handle: string | undefined;
  /** How many turns of ours the caller is inside of. */
  depth: number;
}

/** Whether the client can show a form. `{}` means forms; a client of the newer kind may name URLs alone. */
export function takesForms(capabilities: unknown): boolean {
  if (typeof capabilities !== 'object' || capabilities === null || !('elicitation' in capabilities)) return false;
  const { elicitation } = capabilities;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}

function askerOf(server: Server, era: McpRequestContext['era'], ctx: ServerContext): Asker {
  if (era === 'modern') {
    const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
    return takesForms(envelope[CLIENT_CAPABILITIES_META_KEY]) ? { kind: 'retry' } : { kind: 'none' };
  }
  if (!takesForms(server.getClientCapabilities())) return { kind: 'none' };
  return {
    kind: 'push',
    ask: (form, signal) => ctx.mcpReq.elicitInput(form, { signal, timeout: PATIENCE_MS }),
  };
}

/** Counts up, as the protocol wants it; a caller that left is no fault. */
function progressOf(ctx: ServerContext): Call['progress'] {
  const token = ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return null;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken: token, progress, message };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The header by which a caller over HTTP can say how deep it is. Larger than what we know of ourselves, or ignored. */
const DEPTH_HEADER = 'turnout-depth';

export function callOf(server: Server, era: McpRequestContext['era'], ctx: ServerContext, settings: McpSettings): Call {
  const request = ctx.http?.req;
  const { signal } = ctx.mcpReq;
  const handle = ctx.mcpReq.requestState<string>();
  return {
    settings,
    // A response that was cut off ends the call in every era: there is no other way back to its answer.
    signal: request ? AbortSignal.any([signal, request.signal]) : signal,
    progress: progressOf(ctx),
    asker: askerOf(server, era, ctx),
    responses: ctx.mcpReq.inputResponses,
    handle,
    depth: Math.max(settings.depth, readDepth(request?.headers.get(DEPTH_HEADER)) ?? 0),
  };
}
