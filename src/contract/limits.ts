/** The sizes and times that the contract promises. Bytes are UTF-8 bytes, times are milliseconds. */

const KIB = 1024;
const MIB = 1024 * KIB;

export const LIMITS = {
  /** A stdout line stays under this, newline included. */
  eventLine: MIB,
  /** A caller frame. */
  frameLine: 16 * MIB,
  /** A native line; what is longer is dropped up to its newline. */
  nativeLine: 16 * MIB,
  promptFile: 16 * MIB,
  /** The line of `--prompt-frame`: a prompt and pictures in base64. */
  promptFrame: 96 * MIB,
  toolsFile: 4 * MIB,
  schemaFile: MIB,
  image: 20 * MIB,
  /** One string of a `tool_activity`. */
  activityString: 16 * KIB,
  /** A whole `tool_activity` event. */
  activityEvent: 64 * KIB,
  /** The echo of a caller tool's answer; the agent gets all of it. */
  toolResultEcho: 256 * KIB,
  /** Messages of errors and notices. */
  message: 8 * KIB,
  toolCallArgs: 900 * KIB,
  /** What an agent asks a person at once; more is declined. */
  question: 64 * KIB,
  resultText: 512 * KIB,
  /** Linux refuses a single argument from 128 KiB on. */
  argvString: 120 * KIB,
} as const;

export const GRACE = {
  /** For the runtime to end by itself after it was asked to. */
  ask: 1500,
  term: 1000,
  kill: 500,
  flush: 1000,
  /** After the end-of-turn mark, before TERM. */
  afterEnd: 1000,
} as const;
