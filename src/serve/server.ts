/** `turnout agent serve`: store, core and one transport, from start to a clean end. */

import { join, resolve } from 'node:path';
import type { BrokenRunner } from '../contract/scan.js';
import { stateDir } from '../process/state-dir.js';
import type { Runner } from '../runner/runner.js';
import { type Core, createCore, RETENTION } from '../runs/core.js';
import { outliveFaults, signalled } from '../runs/lifetime.js';
import { recover } from '../runs/recover.js';
import { memoryStore } from '../runs/store/memory-store.js';
import type { Store } from '../runs/store/store.js';
import { redact, secretValues } from '../text/redact.js';
import { type Address, PORT, readAddress, shownAddress } from './listen/address.js';
import type { Guard } from './listen/guard.js';
import type { Surface } from './listen/surface.js';
import type { McpAllowed } from './mcp/settings.js';
import type { NewTrace } from './ops/surface.js';
import type { Recorder } from './trace/recorder.js';

export interface ServeOptions {
  transport: 'stdio' | 'unix' | 'http';
  singleShot: boolean;
  listen?: string;
  port?: number;
  socket?: string;
  token?: string;
  tokenFile?: string;
  /** Keys of other callers, one a line. */
  keysFile?: string;
  noAuth: boolean;
  allowHosts: readonly string[];
  allowOrigins: readonly string[];
  runners: readonly Runner[];
  /** Runners that were left out. */
  broken: readonly BrokenRunner[];
  /** A path, or `memory`; in the state folder when absent. */
  store?: string;
  record?: string;
  replay?: string;
  concurrency?: number;
  /** Milliseconds that a signal leaves to what is being answered. */
  drainMs: number;
  /** What callers at `/mcp` may do. */
  mcp: McpAllowed;
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
}

/** Why the server can't begin: exit code 2. */
export class ServeError extends Error {
  /** @param protocol told on stdout too, as an answer of the protocol */
  constructor(
    message: string,
    readonly protocol = false,
  ) {
    super(message);
    this.name = 'ServeError';
  }
}

const PRUNE_MS = 60 * 60 * 1000;

/** Where runs are kept unless --store says otherwise. */
export const defaultStore = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'server.db');

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function tell(text: string): void {
  process.stderr.write(`turnout: ${text}\n`);
}

/** How we can be reached, for whoever finds the store taken. */
function reach(options: ServeOptions): string {
  if (options.transport === 'http') return `http ${shownAddress(addressOf(options))}`;
  return options.transport === 'unix' ? `unix ${options.listen ?? options.socket ?? ''}` : 'stdio';
}

async function openStore(options: ServeOptions): Promise<Store> {
  if (options.store === 'memory' || options.replay !== undefined) return memoryStore();
  const { openSqlite } = await import('../runs/store/sqlite-store.js');
  const path = options.store === undefined ? defaultStore(options.env) : resolve(options.store);
  try {
    return await openSqlite({ path, what: reach(options), complain: tell });
  } catch (error) {
    const missing = error instanceof Error && 'kind' in error && error.kind === 'missing-library';
    if (!missing || options.store !== undefined)
      throw new ServeError(`${message(error)}; --store PATH|memory names another one`);
    tell(`${message(error)}: runs are kept in memory only`);
    return memoryStore();
  }
}

function addressOf(options: ServeOptions): Address {
  if (options.listen === undefined) return { host: '127.0.0.1', port: options.port ?? PORT };
  const found = readAddress(options.listen);
  if (!found) throw new ServeError(`--listen: expected HOST:PORT, not ${JSON.stringify(options.listen)}`);
  return found;
}

/** What the HTTP listener carries. A new surface is one more line (CONTRIBUTING.md, "Add a surface"). */
async function surfaces(options: ServeOptions, core: Core, trace: NewTrace): Promise<Surface[]> {
  const [{ healthSurface }, { opsSurface }, { mcpSurface }] = await Promise.all([
    import('./observe/health.js'),
    import('./ops/surface.js'),
    import('./mcp/surface.js'),
  ]);
  return [
    healthSurface({ version: core.version, degraded: () => null }),
    opsSurface(core, trace),
    mcpSurface(core, options.mcp, options.env, tell),
  ];
}

interface Listening {
  close(): Promise<void>;
  release?(): void;
  cut(): void;
}

async function listenUnix(options: ServeOptions, core: Core, trace: NewTrace): Promise<Listening> {
  const path = options.listen ?? options.socket;
  if (path === undefined) throw new ServeError('--transport unix needs --socket PATH');
  const [{ openSocket }, { opsLines }] = await Promise.all([import('./listen/unix.js'), import('./ops/surface.js')]);
  try {
    const open = await openSocket({ session: opsLines(core, trace, 'unix'), path: resolve(path) });
    tell(`listening on unix:${open.path}`);
    return open;
  } catch (error) {
    throw new ServeError(message(error), process.platform === 'win32');
  }
}

async function guardOf(options: ServeOptions, host: string): Promise<Guard> {
  const { AuthError, httpAuth } = await import('./listen/http-auth.js');
  const wildcard = host === '0.0.0.0' || host === '::';
  try {
    return {
      identify: httpAuth({
        host,
        open: options.noAuth,
        token: options.token ?? options.env['TURNOUT_TOKEN'],
        tokenFile: options.tokenFile,
        keysFile: options.keysFile,
        ownTokenFile: join(stateDir(options.env), 'server-token'),
        tell,
      }),
      hosts: [...options.allowHosts, ...(wildcard ? [] : [host])].map((one) => one.toLowerCase()),
      anyAddress: wildcard,
      origins: options.allowOrigins,
    };
  } catch (error) {
    throw error instanceof AuthError ? new ServeError(error.message) : error;
  }
}

async function listenHttp(options: ServeOptions, core: Core, trace: NewTrace): Promise<Listening> {
  const { openHttp } = await import('./listen/http.js');
  const { host, port } = addressOf(options);
  const guard = await guardOf(options, host);
  const mounted = await surfaces(options, core, trace);
  try {
    const open = await openHttp({ host, port, guard, surfaces: mounted });
    tell(`listening on http://${shownAddress(open)}/v1/agent`);
    return open;
  } catch (error) {
    throw new ServeError(`can't listen on ${shownAddress({ host, port })}: ${message(error)}`);
  }
}

async function openRecorder(options: ServeOptions, secrets: readonly string[]): Promise<Recorder | null> {
  if (options.record === undefined) return null;
  const { recorder } = await import('./trace/recorder.js');
  try {
    return recorder(resolve(options.record), secrets, tell);
  } catch (error) {
    throw new ServeError(`--record: ${message(error)}`, options.transport === 'stdio');
  }
}

/** Runs until its input ends, or a signal. @returns the exit code @throws ServeError */
export async function serve(options: ServeOptions): Promise<number> {
  if (options.singleShot && options.transport !== 'stdio') throw new ServeError('--single-shot is for stdio');
  const { TURNOUT_TOKEN: _ours, ...ambient } = options.env;
  const secrets = secretValues(options.env);
  if (options.token !== undefined) secrets.push(options.token);
  const store = await openStore(options);
  const { turnout, version, concurrency, runners, broken } = options;
  const core = createCore({ store, runners, broken, ambient, cwd: process.cwd(), turnout, version, concurrency });
  const prune = () => store.prune(Date.now() - RETENTION.runs, Date.now() - RETENTION.keys);
  let trace: Recorder | null = null;
  // Also keeps us alive while all that is left is something that does not.
  const pruning = setInterval(prune, PRUNE_MS);
  outliveFaults((text) => tell(redact(text, secrets)));
  try {
    if (options.replay !== undefined) return await replay(resolve(options.replay), core, secrets);
    const lost = recover(store, Date.now());
    if (lost > 0) tell(`${lost} ${lost === 1 ? 'run' : 'runs'} of an earlier server were interrupted`);
    prune();
    const recorder = await openRecorder(options, secrets);
    trace = recorder;
    return await answer(options, core, recorder === null ? null : () => recorder.session());
  } finally {
    clearInterval(pruning);
    trace?.close();
    store.close();
  }
}

async function replay(path: string, core: Core, secrets: readonly string[]): Promise<number> {
  const { replayTrace } = await import('./trace/replay.js');
  const code = await replayTrace(path, core, secrets, tell);
  core.runs.cancelAll('shutdown');
  await core.runs.drain();
  return code;
}

async function answer(options: ServeOptions, core: Core, trace: NewTrace): Promise<number> {
  let stops = 0;
  let cut = () => {};
  const stopped = signalled(() => {
    stops += 1;
    // The second time nothing is waited for.
    if (stops > 1) {
      core.runs.cancelAll('shutdown');
      cut();
    }
  });
  if (options.transport === 'stdio') {
    const [{ serveOnce, serveStdio }, { opsLines }] = await Promise.all([
      import('./listen/stdio.js'),
      import('./ops/surface.js'),
    ]);
    const work = options.singleShot ? serveOnce : serveStdio;
    const end = () => {
      const drained = core.runs.drain();
      core.runs.cancelAll('shutdown');
      return drained;
    };
    void stopped.then(end);
    // A host that died leaves us to another parent, with stdin at its end.
    const { ppid } = process;
    setInterval(() => {
      if (process.ppid !== ppid && process.stdin.readableEnded) void end();
    }, 1000).unref();
    const code = await work({
      session: opsLines(core, trace, 'stdio'),
      input: process.stdin,
      output: process.stdout,
      stopped,
    });
    await end();
    return code;
  }
  const open = await (options.transport === 'unix' ? listenUnix : listenHttp)(options, core, trace);
  cut = () => open.cut();
  await stopped;
  tell('ending: what is being answered may go on for a while');
  const closed = open.close();
  const drained = core.runs.drain();
  const late = setTimeout(() => core.runs.cancelAll('shutdown'), options.drainMs);
  await drained;
  clearTimeout(late);
  open.release?.();
  const lingering = setTimeout(() => open.cut(), 1000);
  await closed;
  clearTimeout(lingering);
  return 0;
}
