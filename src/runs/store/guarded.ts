/** The reads and writes of a store, and whether it still does its work. */

import { CoreError } from '../failure.js';
import type { Database, Row, Value } from './database.js';
import { briefly, type StoreFault, storeError } from './store-error.js';

export interface Guarded {
  /** @throws {CoreError} store */
  read(sql: string, ...values: Value[]): Row[];
  /** The only way in: a transaction. @throws {CoreError} store */
  write(work: () => void): void;
  /** Why it does not do its work, for everybody; null: it does. Looks again, once a second at most, whether it is over. */
  degraded(): string | null;
}

/** These do not pass by themselves, and another attempt may make it worse. */
const FINAL: ReadonlySet<StoreFault> = new Set(['corrupt', 'fenced']);
const LOOK_MS = 1000;

/**
 * @param fence first thing in every transaction
 * @param complain hears it once each time that the store stops doing its work
 */
export function guarded(db: Database, fence: () => void, complain: (message: string) => void): Guarded {
  let trouble: { message: string; kind: StoreFault; looked: number } | null = null;

  function failed(error: unknown): CoreError {
    if (error instanceof CoreError) return error;
    const { kind, message } = storeError(error, db.path);
    if (trouble?.message !== message) complain(message);
    trouble = { message, kind, looked: Date.now() };
    return new CoreError('store', message);
  }
  function write(work: () => void): void {
    if (trouble && FINAL.has(trouble.kind)) throw new CoreError('store', trouble.message);
    try {
      db.transaction(() => {
        fence();
        work();
      });
    } catch (error) {
      throw failed(error);
    }
    trouble = null;
  }
  /** A page that is written and says the same as before. */
  function look(): void {
    try {
      write(() => db.run('UPDATE fence SET number = number'));
    } catch (error) {
      // The trouble is remembered with its reason.
      if (!(error instanceof CoreError)) throw error;
    }
  }
  return {
    write,
    read(sql, ...values) {
      try {
        return db.all(sql, ...values);
      } catch (error) {
        throw failed(error);
      }
    },
    degraded() {
      if (trouble && !FINAL.has(trouble.kind) && Date.now() - trouble.looked >= LOOK_MS) {
        trouble.looked = Date.now();
        look();
      }
      return trouble && briefly(trouble.kind);
    },
  };
}
