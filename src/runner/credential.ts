/** Where a program takes its credential from, as its runner lists it. Names and places only: a secret is never read into anything. */

import type { Credential, Json } from '../contract/vocabulary.js';

export type CredentialKind = Exclude<Credential['kind'], 'none' | 'unknown'>;

/** The first that is there decides, in the order in which the program looks. */
export type CredentialSource =
  /** A variable that is set and not empty. */
  | { kind: CredentialKind; variable: string }
  /** A file; `~` is the home folder, a first `$NAME` a variable. */
  | {
      kind: CredentialKind;
      file: string;
      /** Not looked for when this variable is set, which names another place. */
      unless?: string;
      /** @returns what the parsed file holds, null when it decides nothing; its kind when absent */
      tells?(content: Json): CredentialKind | null;
    };
