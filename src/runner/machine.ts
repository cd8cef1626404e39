/** What a pure runner must know about the machine and may not look up itself. */

import type { Credential } from '../contract/vocabulary.js';

/** A program as it was found: what to start, and its version where known. */
export interface Program {
  /** What is started: the program as it was found (some act by that name), or what a Windows stub leads to. */
  path: string;
  /** Arguments that come before ours, e.g. the script of a shim that was resolved. */
  args: readonly string[];
  /** Where it was found, before links were followed. */
  found: string;
  /** Real path of `found`. */
  real: string;
  version: string | null;
  /** Tells programs of the same name apart: the package it was installed from, as the runner lists it; null when unknown. */
  variant: string | null;
}

/** What a runner may know of the machine its program runs on. */
export interface Machine {
  program: Program;
  platform: 'linux' | 'darwin' | 'win32';
  /** Whether we run as root. */
  uid0: boolean;
  home: string;
  /** Whether the request's cwd lies in a git repository; recordings of earlier versions do not tell. */
  inRepository?: boolean;
  /** Names of the variables set in the environment the runtime will get (values are not told). */
  envNames: ReadonlySet<string>;
  /** What the program will log in with; recordings of earlier versions do not tell. */
  credential?: Credential;
  /** What stands around the program, where the operating system keeps the mode. */
  confined?: 'bwrap';
  /** The argv that starts turnout itself (node, bin/turnout.js). */
  turnout: readonly string[];
  /** Fresh for each turn: a UUID for a new session, one for the turn, and the nonce of prompt-encoded tools. */
  ids: { session: string; turn: string; nonce: string };
  /** How a runtime starts our MCP server and what that server must be given; null without caller tools. */
  mcpBridge: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> } | null;
}
