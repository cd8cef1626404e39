/** What the lab saw of versions beyond those that the runners name: `npm run lab -- drift PROGRAM@VERSION` writes it. */

import recorded from './compat.json' with { type: 'json' };

export interface Compat {
  /** `bad`: rows of the lab failed that pass on the tested version. */
  verdict: 'tested' | 'bad';
  /** For people: the rows that failed, or what changed in the program's own vocabulary. */
  note: string;
}

export type CompatTable = Readonly<Record<string, Readonly<Record<string, Compat>>>>;

const isCompat = (value: unknown): value is Compat =>
  typeof value === 'object' && value !== null && 'verdict' in value && 'note' in value;

function read(table: object): CompatTable {
  return Object.fromEntries(
    Object.entries(table).map(([id, versions]: [string, object]) => [
      id,
      Object.fromEntries(Object.entries(versions).filter((entry): entry is [string, Compat] => isCompat(entry[1]))),
    ]),
  );
}

const TABLE = read(recorded);

/** The versions that were tested: those of the runner, then those that the lab has tried since. */
export function testedVersions(id: string, ofRunner: readonly string[], table: CompatTable = TABLE): string[] {
  const later = Object.entries(table[id] ?? {}).filter(([, one]) => one.verdict === 'tested');
  return [...new Set([...ofRunner, ...later.map(([version]) => version)])];
}

/** Why a version is known not to work, or null. */
export function knownBad(id: string, version: string | null, table: CompatTable = TABLE): string | null {
  const found = version === null ? undefined : table[id]?.[version];
  return found?.verdict === 'bad' ? found.note : null;
}
