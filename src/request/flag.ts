/** What a flag is, for the parser of command lines, for help and for completion. */

export interface FlagSpec {
  /** What the value is called in help; absent on a switch. */
  value?: string;
  char?: string;
  /** May be given more than once. */
  many?: true;
  /** The value may look like a flag. */
  anyText?: true;
  /** The values it takes. */
  options?: readonly string[];
  /** For help. */
  default?: string;
  /** Left out of help and completion. */
  hidden?: true;
  summary: string;
}

/** What was given on a command line, by flags without dashes. */
export interface GivenFlags {
  has(flag: string): boolean;
  one(flag: string): string | undefined;
  all(flag: string): readonly string[];
}
