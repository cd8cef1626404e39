import type { Bench } from '../harness/bench.js';

/** One row of the compatibility table: what a person would call it, and the turns and checks that show it. */
export interface Scenario {
  name: string;
  title: string;
  /** Part of the quick run before a release. */
  smoke?: true;
  /** Asked of every program that can be pointed at the scripted model. */
  core?: true;
  /** About runtimes that have a name: nothing to ask of a command line. */
  named?: true;
  /** The capability behind it: where the handshake does not list it and the call is not understood, the row is skipped. */
  needs?: string;
  /** The programs it is about, where it is not about all. */
  only?: readonly string[];
  /** Other programs of the table that it runs; skipped where one is not installed. */
  programs?: readonly string[];
  run(bench: Bench): Promise<void>;
}
