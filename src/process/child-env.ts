/** The environment a runtime is started with. */

import { LOCATION_NAMES } from './located-env.js';
import { steady } from './steady-env.js';

/** A proxy or a CA that gets lost looks like a broken network to the user, so no pattern removes these. */
const KEPT: ReadonlySet<string> = new Set([
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
]);

export const MARKER = 'TURNOUT_TURN';

export interface ChildEnvOptions {
  ambient: NodeJS.ProcessEnv;
  /** Names to leave out, e.g. the runtime's nesting variables; `*` at the end matches any rest. */
  scrub: readonly string[];
  /** Keys of other vendors, in the same form. */
  foreignKeys: readonly string[];
  /** Set, or removed where null, after that. */
  set: Readonly<Record<string, string | null>>;
  /** What the caller gave: always passes. */
  explicit: Readonly<Record<string, string>>;
  turnId: string;
  /** Real path of the folder it works in; without one, `PWD` is left out. */
  cwd?: string;
  /** Whether the agent may write files there without a question: then nothing there may decide what runs. */
  writes?: boolean;
  /** Names are compared without case on Windows; ours when absent. */
  platform?: NodeJS.Platform;
}

/** Later rules win: ambient (without what tells where the launcher is, and what is scrubbed), `set`, `explicit`; the marker and the depth are always ours. */
export function childEnv(options: ChildEnvOptions): Record<string, string> {
  const { ambient, set, explicit, turnId } = options;
  const foldCase = (options.platform ?? process.platform) === 'win32';
  const fold = (name: string) => (foldCase ? name.toUpperCase() : name);
  const leaveOut = [...LOCATION_NAMES, ...options.scrub, ...options.foreignKeys].map(fold);
  /** Folded name → the name as it is written, and its value. */
  const out = new Map<string, [name: string, value: string]>();
  const put = (name: string, value: string) => out.set(fold(name), [name, value]);

  // Python before 3.15 writes pipes in the code page of the machine there; what the person set wins.
  if (foldCase) put('PYTHONUTF8', '1');
  for (const [name, value] of Object.entries(ambient)) {
    if (value === undefined) continue;
    if (KEPT.has(name.toUpperCase()) || !leaveOut.some((pattern) => matches(fold(name), pattern))) put(name, value);
  }
  if (options.cwd === undefined) out.delete('PWD');
  else put('PWD', options.cwd);
  for (const [name, value] of Object.entries(set)) {
    if (value === null) out.delete(fold(name));
    else put(name, value);
  }
  for (const [name, value] of Object.entries(explicit)) put(name, value);
  // cmd looks a bare name up in the current folder first, where a stranger's `ls.bat` may lie.
  if (foldCase) put('NoDefaultCurrentDirectoryInExePath', '1');
  put('TURNOUT', '1');
  put(MARKER, turnId);
  put('TURNOUT_DEPTH', String(turnoutDepth(ambient) + 1));
  const env = Object.fromEntries(out.values());
  if (options.writes && options.cwd !== undefined) steady(env, options.cwd, new Set(Object.keys(explicit)));
  return env;
}

/** How many turns we are inside of; 0 outside. */
export function turnoutDepth(ambient: NodeJS.ProcessEnv): number {
  const text = ambient['TURNOUT_DEPTH'] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
