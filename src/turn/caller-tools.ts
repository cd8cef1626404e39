/** What the turn loop needs of the caller's tools; `src/exec` makes it from the tools room. */

import type { JsonObject } from '../contract/vocabulary.js';
import type { Toolbox } from './calls.js';

export type RunCall = (
  key: string,
  name: string,
  args: JsonObject,
  answer: (ok: boolean, text: string) => void,
) => void;

/** Our MCP server's side of a turn; absent without caller tools. */
export interface TurnTools {
  toolbox: Toolbox;
  /** A message from the runtime, over its own pipe or the MCP bridge's socket. */
  receive(channel: string, message: JsonObject): void;
  /** Told by the loop how to run a call and how to send into the runtime's pipe. */
  attach(host: { call: RunCall; withdraw(key: string): void; send(channel: string, message: JsonObject): void }): void;
  /** Whether somebody asked for the tools; null when the transport can't tell. */
  listed(): boolean | null;
}
