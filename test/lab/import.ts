import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The native side of a turn as a recording keeps it; the rest of a recording is made by replaying these. */
export type Recorded =
  | { t: number; k: 'in'; line: string }
  | { t: number; k: 'out'; line: string }
  | { t: number; k: 'err'; line: string }
  | { t: number; k: 'exit'; code: number | null; signal: string | null; files: Record<string, string | null> };

/** Raw captures come from several hands: frames with a `+12ms >` in front, or wrapped as `{t,dir,m}` or `{t,dir,f}`. */
const framed = /^\+(\d+)ms (\S) ([^\n]*)$/;

function direction(mark: string): 'in' | 'out' | 'err' | undefined {
  if (mark === '>') return 'in';
  if (mark === '<') return 'out';
  return mark === 'E' || mark === '!' ? 'err' : undefined;
}

function lines(text: string): string[] {
  // On LF alone: the strings inside may hold U+2028 and lone CR.
  return text.split('\n').filter((line) => line !== '');
}

function fromFrames(text: string): Recorded[] {
  const found: Recorded[] = [];
  for (const line of lines(text)) {
    const match = framed.exec(line);
    const k = direction(match?.[2] ?? '');
    if (match !== null && k !== undefined) found.push({ t: Number(match[1]), k, line: match[3] ?? '' });
  }
  return found;
}

interface Wrapped {
  t?: number;
  dir?: string;
  m?: unknown;
  f?: unknown;
}

function fromWrapped(text: string): Recorded[] {
  const found: Recorded[] = [];
  for (const line of lines(text)) {
    const entry: Wrapped = JSON.parse(line);
    const k = direction(entry.dir ?? '');
    const message = entry.m ?? entry.f;
    if (k === undefined || message === undefined) continue;
    found.push({
      t: Math.round(entry.t ?? 0),
      k,
      line: typeof message === 'string' ? message : JSON.stringify(message),
    });
  }
  return found;
}

/** A plain capture has no times: everything was printed at once. */
function fromPlain(text: string, k: 'out' | 'err'): Recorded[] {
  return lines(text).map((line) => ({ t: 0, k, line }));
}

const signalNames: Record<string, string> = { '2': 'SIGINT', '9': 'SIGKILL', '15': 'SIGTERM' };

/** `0`, `signal 15`, `signal=SIGTERM`, `rc=1 …`, `exit=[0,null] after …`: the end, as far as it was noted. */
function readExit(text: string, t: number): Recorded {
  const first = text.trim().split('\n')[0] ?? '';
  const named = /\bSIG[A-Z0-9]+\b/.exec(first)?.[0] ?? signalNames[/\bsignal[ =](\d+)/.exec(first)?.[1] ?? ''];
  const code = /^(\d+)\b/.exec(first)?.[1] ?? /\b(?:rc|exit)=\[?(\d+)/.exec(first)?.[1];
  return {
    t,
    k: 'exit',
    code: named !== undefined || code === undefined ? null : Number(code),
    signal: named ?? null,
    files: {},
  };
}

const suffixes = ['.frames.ndjson', '.frames.jsonl', '.frames', '.stdout'] as const;

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** One capture: frames where there are some, else what it printed. */
export function importCapture(folder: string, name: string): Recorded[] {
  const path = (suffix: string): string => join(folder, name + suffix);
  const suffix = suffixes.find((candidate) => existsSync(path(candidate)));
  if (suffix === undefined) return [];
  const text = read(path(suffix));
  const recorded =
    suffix === '.frames'
      ? fromFrames(text)
      : suffix === '.stdout'
        ? [...fromPlain(text, 'out'), ...fromPlain(read(path('.stderr')), 'err')]
        : fromWrapped(text);
  const last = recorded.at(-1)?.t ?? 0;
  return existsSync(path('.exit')) ? [...recorded, readExit(read(path('.exit')), last)] : recorded;
}

/** The names of all captures in a folder. */
export function captureNames(folder: string): string[] {
  const names = new Set<string>();
  for (const file of readdirSync(folder)) {
    const suffix = suffixes.find((candidate) => file.endsWith(candidate));
    if (suffix !== undefined) names.add(file.slice(0, -suffix.length));
  }
  return [...names].sort();
}

/** `import FROM TO`: every capture of a folder becomes `TO/<name>.ndjson`. Exit code. */
export function importFolder(from: string, to: string): number {
  mkdirSync(to, { recursive: true });
  for (const name of captureNames(from)) {
    const recorded = importCapture(from, name);
    writeFileSync(join(to, `${name}.ndjson`), recorded.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    console.log(`${basename(from)}/${name}: ${recorded.length} entries`);
  }
  return 0;
}
