/** Why a store can't be used, in words for people and a kind for programs. */

export type StoreFault =
  /** The package libsql is not installed or does not load. */
  | 'missing-library'
  /** Another process holds it. */
  | 'locked'
  /** Another process took it over while we worked; nothing more may be written. */
  | 'fenced'
  /** Its pages are damaged, or it is not a database at all. */
  | 'corrupt'
  /** No room on the disk. */
  | 'full'
  /** The file or its file system may not be written. */
  | 'readonly'
  /** Everything else: no such folder, a newer version, an I/O error. */
  | 'unusable';

export class StoreError extends Error {
  constructor(
    readonly kind: StoreFault,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'StoreError';
  }
}

const KINDS: readonly (readonly [RegExp, StoreFault])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_(READONLY|PERM)/, 'readonly'],
  [/^SQLITE_(BUSY|LOCKED)/, 'locked'],
];

/** The codes of SQLite's C interface, as libsql 0.5 gives them in `code`; some failures to open have none. */
function kindOf(error: unknown): StoreFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unusable';
}

const WORDS: Partial<Record<StoreFault, string>> = {
  full: 'the disk is full',
  readonly: 'it may not be written',
  locked: 'another process keeps it busy',
  fenced: 'another process took it over',
  corrupt: 'it is damaged',
};

/** For everybody who may ask how the server fares: without a path. */
export const briefly = (kind: StoreFault): string => `the store can't be used: ${WORDS[kind] ?? 'it fails'}`;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What SQLite threw, as ours. One of ours stays as it is. */
export function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const kind = kindOf(error);
  if (kind === 'corrupt') return damaged(path, reasonOf(error), error);
  const words = WORDS[kind] ?? reasonOf(error);
  return new StoreError(kind, `the store ${path} can't be used: ${words}`, { cause: error });
}

/** A path as a shell takes it. */
const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

export function damaged(path: string, what: string, cause?: unknown): StoreError {
  const command = (what: string) => `\`turnout store ${what} --store ${quoted(path)}\``;
  const help = `${command('check')} lists what is wrong, ${command('restore --new')} sets it aside`;
  return new StoreError('corrupt', `the store ${path} is damaged (${what}); ${help}`, { cause });
}
