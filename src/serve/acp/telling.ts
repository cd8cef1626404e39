/** `session/update` notifications, in order, no faster than the client reads. */

import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { JsonObject } from '../../contract/vocabulary.js';

export interface Telling {
  tell(session: string, update: SessionUpdate): Promise<void>;
  /** An update in the words of a runtime: what the protocol's types do not know is passed on too. */
  pass(session: string, update: JsonObject): Promise<void>;
}

/** Any method, with parameters as they are. */
const UPDATE: string = 'session/update';

/** A client that is gone misses nothing: what was not told can be loaded later. */
export function telling(client: AgentContext): Telling {
  const gone = () => {};
  return {
    tell: (sessionId, update) => client.notify(UPDATE, { sessionId, update }).catch(gone),
    pass: (sessionId, update) => client.notify(UPDATE, { sessionId, update }).catch(gone),
  };
}
