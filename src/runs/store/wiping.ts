/** What was wiped from the file also stands in the write-ahead log, until that is moved into the file and emptied. */

import type { Database } from './database.js';
import { reasonOf, StoreError } from './store-error.js';

export interface Wiping {
  /** Something was wiped. */
  owe(): void;
  /** Empties the log if something was. A reader may hold it for another moment: then the next call does it. */
  settle(): void;
}

export function wiping(db: Database, complain: (message: string) => void): Wiping {
  let owed = false;
  return {
    owe() {
      owed = true;
    },
    settle() {
      if (!owed) return;
      try {
        owed = !db.checkpoint();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        complain(`the log of the store could not be emptied: ${reasonOf(error)}`);
      }
    },
  };
}
