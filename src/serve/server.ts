/** `turnout agent serve`: store, core and one transport, from start to a clean end. */

import { resolve } from 'node:path';
import type { BrokenRunner } from '../contract/scan.js';
import type { AccessMode } from '../contract/vocabulary.js';
import type { JobSettings } from '../jobs/settings.js';
import type { Log } from '../output/log.js';
import { watchParent } from '../process/parent-watch.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import type { Core } from '../runs/core.js';
import { outliveFaults, signalled } from '../runs/lifetime.js';
import type { Keeping } from '../runs/retention.js';
import { secretValues } from '../text/redact.js';
import type { ServedJobs } from './jobs/open.js';
import type { Address } from './listen/address.js';
import type { Surface } from './listen/surface.js';
import { type Listening, listenHttp, listenUnix } from './listeners.js';
import type { McpAllowed } from './mcp/settings.js';
import { type Observers, openObservers } from './observe/observers.js';
import { type Cluster, openCore } from './open-core.js';
import { type Compat, namesOf } from './openai/names.js';
import type { NewTrace } from './ops/surface.js';
import { ServeError } from './serve-error.js';
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
  /** How long sessions are kept, and how much room they may take. */
  keeping?: Keeping;
  record?: string;
  replay?: string;
  concurrency?: number;
  /** Milliseconds that a signal leaves to what is being answered. */
  drainMs: number;
  /** What callers at `/mcp` may do. */
  mcp: McpAllowed;
  /** The runtime that answers OpenAI clients for models of others. */
  openAiRuntime?: string | undefined;
  /** Whose names the OpenAI surface bears; ours when absent. */
  compat?: Compat | undefined;
  /** The widest mode that the page at `/` may ask for. */
  pageAccess: AccessMode;
  /** Runs are kept in a cluster that this process belongs to. */
  cluster?: Cluster | undefined;
  /** What sessions of gateway clients begin with: the installed runtime and scoped when absent. */
  gateway?: { runtime: string; access: AccessMode };
  /** Called once the HTTP listener is open. */
  listening?(address: Address): void;
  /** Coding jobs are served when set. */
  jobs?: JobSettings | undefined;
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
  log: Log;
}

/** A server's parts, once they are open. */
interface Parts {
  core: Core;
  trace: NewTrace;
  observers: Observers;
  jobs: ServedJobs | null;
}

const ALIVE_MS = 60 * 60 * 1000;

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the HTTP listener carries. A new surface is one more line (CONTRIBUTING.md, "Add a surface"). */
async function surfaces(options: ServeOptions, { core, trace, observers, jobs }: Parts): Promise<Surface[]> {
  const [
    { healthSurface },
    { opsSurface },
    { mcpSurface },
    { openAiSurfaces },
    { gatewaySurface },
    { pageFolder, pageSurface },
  ] = await Promise.all([
    import('./observe/health.js'),
    import('./ops/surface.js'),
    import('./mcp/surface.js'),
    import('./openai/surface.js'),
    import('./gateway/surface.js'),
    import('./page/surface.js'),
  ]);
  return [
    healthSurface({ version: core.version, degraded: core.degraded, platform: namesOf(options.compat).platform }),
    ...(observers.metrics ? [observers.metrics.surface(core, core.degraded)] : []),
    opsSurface({ core, jobs: jobs?.service ?? null, trace }),
    ...(jobs ? [jobs.surface] : []),
    ...openAiSurfaces(core, {
      fallback: options.openAiRuntime,
      compat: options.compat,
      auth: !options.noAuth,
      cors: options.allowOrigins.length > 0,
      complain: (text) => options.log.error(text),
    }),
    mcpSurface(core, options.mcp, options.env, (text) => options.log.warn(text)),
    gatewaySurface(core, {
      runtime: options.gateway?.runtime ?? 'auto',
      access: options.gateway?.access ?? 'scoped',
      settings: [],
      allowRoot: false,
      complain: (text) => options.log.error(text),
    }),
    pageSurface(core, { folder: pageFolder(), access: options.pageAccess }),
  ];
}

/** @throws ServeError */
async function openJobsOf({ jobs, env, log }: ServeOptions, core: Core): Promise<ServedJobs | null> {
  if (jobs === undefined) return null;
  const { openServed } = await import('./jobs/open.js');
  try {
    return await openServed(core, jobs, env, (text) => log.error(text));
  } catch (error) {
    throw new ServeError(message(error));
  }
}

async function openRecorder(options: ServeOptions, secrets: readonly string[]): Promise<Recorder | null> {
  if (options.record === undefined) return null;
  const { recorder } = await import('./trace/recorder.js');
  try {
    return recorder(resolve(options.record), {
      secrets,
      cwd: process.cwd(),
      complain: (text) => options.log.error(text),
    });
  } catch (error) {
    throw new ServeError(`--record: ${message(error)}`, options.transport === 'stdio');
  }
}

/** Runs until its input ends, or a signal. @returns the exit code @throws ServeError */
export async function serve(options: ServeOptions): Promise<number> {
  if (options.singleShot && options.transport !== 'stdio') throw new ServeError('--single-shot is for stdio');
  const { TURNOUT_TOKEN: _ours, TURNOUT_AUTH_KEYS: _keys, TURNOUT_CLUSTER: _engine, ...ambient } = options.env;
  const secrets = secretValues(options.env);
  if (options.token !== undefined) secrets.push(options.token);
  const { turnout, version, concurrency, runners, broken, env, log } = options;
  const isRuntime = (id: string) => byId(id, runners) !== null;
  const observers = await openObservers({ env, version, http: options.transport === 'http', isRuntime, log });
  const { core, ...opened } = await openCore(options, observers, {
    runners,
    broken,
    ambient,
    cwd: process.cwd(),
    turnout,
    version,
    concurrency,
    watch: observers.watch,
  });
  let trace: Recorder | null = null;
  let jobs: ServedJobs | null = null;
  // While all that is left is something that does not keep us alive.
  const alive = setInterval(() => {}, ALIVE_MS);
  let forgetting = () => {};
  outliveFaults((text) => log.error(text));
  try {
    if (options.replay !== undefined) return await replay(resolve(options.replay), core, secrets, log);
    const lost = await opened.recover();
    if (lost > 0) log.warn(`${lost} ${lost === 1 ? 'run' : 'runs'} of an earlier server were interrupted`);
    forgetting = opened.forget();
    if (options.cluster?.role === 'worker') return await work(options, core, options.cluster);
    const recorder = await openRecorder(options, secrets);
    trace = recorder;
    jobs = await openJobsOf(options, core);
    return await answer(options, { core, observers, jobs, trace: recorder === null ? null : () => recorder.session() });
  } finally {
    clearInterval(alive);
    forgetting();
    trace?.close();
    await jobs?.close();
    await opened.close();
    await observers.close();
  }
}

async function replay(path: string, core: Core, secrets: readonly string[], log: Log): Promise<number> {
  const { replayTrace } = await import('./trace/replay.js');
  const code = await replayTrace(path, core, secrets, (text) => log.info(text));
  core.cancelAll('shutdown');
  await core.drain();
  return code;
}

/** A worker of a cluster has no listener. */
async function work(options: ServeOptions, core: Core, { name }: Cluster): Promise<number> {
  options.log.info(`takes turns as worker ${name}`);
  let stops = 0;
  const stopped = signalled(() => {
    stops += 1;
    if (stops > 1) core.cancelAll('shutdown');
  });
  await stopped;
  options.log.info('ending: running turns may go on for a while');
  const drained = core.drain();
  const late = setTimeout(() => core.cancelAll('shutdown'), options.drainMs);
  await drained;
  clearTimeout(late);
  return 0;
}

async function listen(options: ServeOptions, parts: Parts): Promise<Listening> {
  if (options.transport === 'http') return listenHttp(options, await surfaces(options, parts), parts.observers);
  const { opsLines } = await import('./ops/surface.js');
  return listenUnix(options, opsLines({ ...parts, jobs: parts.jobs?.service ?? null }, 'unix'));
}

async function answer(options: ServeOptions, parts: Parts): Promise<number> {
  const { core } = parts;
  let stops = 0;
  let cut = () => {};
  const stopped = signalled(() => {
    stops += 1;
    // The second time nothing is waited for.
    if (stops > 1) {
      core.cancelAll('shutdown');
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
      const drained = core.drain();
      core.cancelAll('shutdown');
      return drained;
    };
    void stopped.then(end);
    // A host that died leaves us to another parent, with stdin at its end.
    watchParent(() => {
      if (process.stdin.readableEnded) void end();
      else process.stdin.once('end', () => void end());
    });
    const code = await work({
      session: opsLines({ ...parts, jobs: parts.jobs?.service ?? null }, 'stdio'),
      input: process.stdin,
      output: process.stdout,
      stopped,
    });
    await end();
    return code;
  }
  const open = await listen(options, parts);
  cut = () => open.cut();
  await stopped;
  options.log.info('ending: what is being answered may go on for a while');
  const closed = open.close();
  const drained = core.drain();
  const late = setTimeout(() => core.cancelAll('shutdown'), options.drainMs);
  await drained;
  clearTimeout(late);
  open.release?.();
  const lingering = setTimeout(() => open.cut(), 1000);
  await closed;
  clearTimeout(lingering);
  return 0;
}
