/** What a program needs of its home folder inside the confinement of the operating system; everything else is closed to it. */

/** One folder in which a program keeps its state. */
export interface StateFolder {
  /** Where it lies; `~` is the home folder. */
  at: string;
  /** The variable that moves it. */
  variable?: string;
  /** A folder below the one that the variable names (`$XDG_DATA_HOME`, then `opencode`). */
  below?: string;
  /**
   * `kept`: all of it may be written, and stays. Otherwise what is not named below is empty at the start of a turn and
   * gone at its end: hooks, commands, plugins and settings that the agent writes there have no effect.
   */
  kept?: true;
  /** Folders inside that may be written, and stay: the sessions. */
  sessions?: readonly string[];
  /** Files and folders inside that may be read. */
  config?: readonly string[];
  /** Files inside that it rewrites by itself: it gets a copy, which is gone at the end. */
  copies?: readonly string[];
  /** JSON files inside with the program's login. It gets a copy; new tokens in it are brought back. */
  logins?: readonly string[];
}

/** The row of a runtime. Without one it is never confined by the operating system. */
export interface ConfineRow {
  state: readonly StateFolder[];
  /** It builds a sandbox of its own, which must still be possible inside. */
  nests?: true;
  /** Its login may lie in the system's keyring, which is closed inside; the variables that stand in for it. */
  keyring?: readonly string[];
  /** It replaces its files of the turn (a usage report, say), so their folder must be writable. */
  writesTurnFolder?: true;
}
