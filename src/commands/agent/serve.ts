import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { ACCESS_MODES } from '../../contract/vocabulary.js';
import { ownArgv } from '../../exec/own-argv.js';
import { VERSION } from '../../exec/version.js';
import { byId, nearest } from '../../registry/registry.js';
import { flagValue } from '../../request/flag-value.js';
import { duration } from '../../request/kinds.js';
import type { Runner } from '../../runner/runner.js';
import { daysInMs, KEEP_DAYS, MAX_BYTES } from '../../runs/retention.js';

import { TurnoutCommand } from '../base.js';
import { clusterAt } from '../cluster-flags.js';
import { MEMBER_FLAGS, memberOf } from '../cluster-member.js';
import { fail } from '../failure.js';
import { GATEWAY_FLAGS, gatewayDefaults } from '../gateway-flags.js';
import { settingsOf } from '../jobs-reading.js';
import { LOG_FLAGS, logOf } from '../log-flags.js';
import { APPROVALS, mcpAllowed } from '../mcp-allowed.js';
import { commandRunners } from '../own-runners.js';
import { PAGE_ACCESS, pageAccess } from '../page-access.js';
import { runnerFlag } from '../runner-flag.js';
import { byteLimit } from '../sizes.js';

const MCP_FLAGS = {
  'mcp-access': Flags.string({
    summary: 'the highest mode that callers at /mcp may ask for',
    options: [...ACCESS_MODES],
    default: 'scoped',
  }),
  'mcp-approvals': Flags.string({
    summary: 'who at /mcp may allow what an agent asks permission for: the person, also the caller, nobody',
    options: [...APPROVALS],
    default: 'ask',
  }),
  'mcp-max-depth': Flags.integer({
    summary: 'how deep agents may start agents through /mcp (2)',
    helpValue: 'N',
    min: 1,
    max: 100,
  }),
};

/** @throws UsageError for a runtime that does not exist */
function fallbackRuntime(id: string | undefined, runners: readonly Runner[]): string | undefined {
  if (id === undefined || byId(id, runners)) return id;
  const [near] = nearest(id, runners);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`--openai-default-runtime: there is no runtime called ${id}${hint}`);
}

/** @throws UsageError for what says how runs are kept on this machine alone */
function refuseStore(flags: {
  store: string | undefined;
  'store-max': string | undefined;
  replay: string | undefined;
}): void {
  for (const name of ['store', 'store-max', 'replay'] as const)
    if (flags[name] !== undefined) throw new UsageError(`--${name} and --cluster exclude each other`);
}

const secretsOf = (flags: { 'auth-token': string | undefined }): string[] =>
  flags['auth-token'] === undefined ? [] : [flags['auth-token']];

const JOB_FLAGS = {
  jobs: Flags.string({
    summary: 'serve coding jobs (ops job.*, over HTTP also /v1/coding), implemented by this runtime: ID or ID/MODEL',
    helpValue: 'ID',
  }),
  'jobs-auditor': Flags.string({ summary: 'a runtime that judges them', helpValue: 'ID' }),
  'jobs-root': Flags.string({
    summary: 'a folder that they may work in (where the server was started); repeatable',
    helpValue: 'DIR',
    multiple: true,
  }),
  'jobs-checks': Flags.string({
    summary: 'none: also without .turnout/coding.yaml',
    options: ['required', 'none'],
    default: 'required',
  }),
  'jobs-compat': Flags.string({ summary: 'names and codes of another service', options: ['flyto'] }),
};

export default class Serve extends TurnoutCommand {
  static override summary =
    'Answer requests of other programs: turns, sessions and all the rest, one JSON object a line.';
  static override description =
    'One server for hosts that do not start a process per turn. docs/server.md describes ops, answers and transports.';
  static override examples = [
    `printf '{"op":"exec","runtime":"demo","prompt":"hello"}\\n' | <%= config.bin %> agent serve`,
    '<%= config.bin %> agent serve --transport http --port 9090',
  ];
  static override flags = {
    transport: Flags.string({ summary: 'how callers reach it', options: ['stdio', 'unix', 'http'], default: 'stdio' }),
    'single-shot': Flags.boolean({ summary: 'the whole of stdin is one request; exits with its code' }),
    listen: Flags.string({ summary: 'HOST:PORT (http) or the path of the socket (unix)', helpValue: 'ADDR' }),
    port: Flags.integer({ summary: 'the same as --listen 127.0.0.1:N (8889)', helpValue: 'N', min: 0, max: 65_535 }),
    socket: Flags.string({
      summary: 'path of the unix socket; on Windows a named pipe, \\\\.\\pipe\\NAME',
      helpValue: 'PATH',
    }),
    'auth-token': Flags.string({
      summary: 'what HTTP callers show; others see it in the list of processes',
      helpValue: 'T',
    }),
    'auth-token-file': Flags.string({
      summary: 'read it from a file; the variable TURNOUT_TOKEN counts too',
      helpValue: 'PATH',
    }),
    'auth-keys': Flags.string({
      summary: 'keys of other callers, one a line: NAME key|guest SECRET [concurrency=N] [budget=USD]',
      helpValue: 'PATH',
    }),
    'no-auth': Flags.boolean({ summary: 'no token; on loopback addresses only' }),
    'allow-host': Flags.string({
      summary: 'a name under which HTTP callers may address us; repeatable',
      helpValue: 'NAME',
      multiple: true,
    }),
    'allow-origin': Flags.string({
      summary: 'a web page that may call us; repeatable',
      helpValue: 'ORIGIN',
      multiple: true,
    }),
    runner: runnerFlag,
    ...MCP_FLAGS,
    ...JOB_FLAGS,
    'openai-default-runtime': Flags.string({
      summary: 'the runtime that answers OpenAI clients for names of models that are not ours, such as gpt-4o',
      helpValue: 'ID',
    }),
    compat: Flags.string({
      summary: 'names of objects, headers and models under /v1 and /api as clients of another server expect them',
      options: ['hermes'],
    }),
    'page-access': PAGE_ACCESS,
    ...GATEWAY_FLAGS,
    store: Flags.string({ summary: 'where runs are kept: a file, or memory', helpValue: 'PATH' }),
    'keep-days': Flags.integer({
      summary: `sessions are forgotten this long after their last use (${KEEP_DAYS}; 0: never)`,
      helpValue: 'N',
      min: 0,
      max: 36_500,
    }),
    'store-max': Flags.string({
      summary: 'beyond this size the longest unused sessions are forgotten (1GiB; 0: any size)',
      helpValue: 'SIZE',
    }),
    concurrency: Flags.integer({ summary: 'turns at once; more wait (5 for each core)', helpValue: 'N', min: 1 }),
    drain: Flags.string({ summary: 'what a signal leaves to running turns (10s)', helpValue: 'DURATION' }),
    ...MEMBER_FLAGS,
    ...LOG_FLAGS,
    record: Flags.string({ summary: 'append each request with its answer to a file', helpValue: 'FILE' }),
    replay: Flags.string({
      summary: 'play such a file again and compare: 0 same, 1 not, 2 unreadable',
      helpValue: 'FILE',
    }),
  };

  async run(): Promise<void> {
    const { flags, metadata } = await this.parse(Serve);
    const { transport } = flags;
    if (transport !== 'stdio' && transport !== 'unix' && transport !== 'http') throw new UsageError('--transport');
    const [{ serve }, { ServeError }] = await Promise.all([
      import('../../serve/server.js'),
      import('../../serve/serve-error.js'),
    ]);
    const cluster = memberOf(flags, process.env, daysInMs(flags['keep-days'] ?? KEEP_DAYS));
    if (cluster) refuseStore(flags);
    if (cluster?.role === 'worker' && metadata.flags.transport?.setFromDefault !== true)
      throw new UsageError('--transport: a worker has no listener; callers reach a front');
    const known = await commandRunners(flags.runner);
    let code: number;
    try {
      code = await serve({
        transport,
        singleShot: flags['single-shot'],
        listen: flags.listen,
        port: flags.port,
        socket: flags.socket,
        token: flags['auth-token'],
        tokenFile: flags['auth-token-file'],
        keysFile: flags['auth-keys'],
        noAuth: flags['no-auth'],
        allowHosts: flags['allow-host'] ?? [],
        allowOrigins: flags['allow-origin'] ?? [],
        ...known,
        store: flags.store,
        keeping: {
          keepMs: daysInMs(flags['keep-days'] ?? KEEP_DAYS),
          maxBytes: byteLimit('store-max', flags['store-max'], MAX_BYTES),
        },
        record: flags.record,
        replay: flags.replay,
        cluster,
        concurrency: flags.concurrency,
        drainMs: flagValue(duration, 'drain', flags.drain) ?? 10_000,
        mcp: mcpAllowed({
          runtime: 'auto',
          access: flags['mcp-access'],
          approvals: flags['mcp-approvals'],
          maxDepth: flags['mcp-max-depth'],
        }),
        openAiRuntime: fallbackRuntime(flags['openai-default-runtime'], known.runners),
        compat: flags.compat === 'hermes' ? 'hermes' : undefined,
        pageAccess: pageAccess(flags['page-access']),
        gateway: gatewayDefaults(flags, known.runners),
        jobs:
          flags.jobs === undefined
            ? undefined
            : settingsOf(
                flags.jobs,
                {
                  auditor: flags['jobs-auditor'],
                  checks: flags['jobs-checks'],
                  'rework-limit': 'hold',
                  root: flags['jobs-root'] ?? [process.cwd()],
                },
                { compat: flags['jobs-compat'] === 'flyto' ? 'flyto' : null },
              ),
        env: process.env,
        turnout: ownArgv(),
        version: VERSION,
        log: logOf(flags, [...secretsOf(flags), ...(clusterAt(flags, process.env)?.secrets ?? [])]),
      });
    } catch (error) {
      if (!(error instanceof ServeError)) throw error;
      if (error.protocol) {
        const lines = [
          { kind: 'error', message: error.message },
          { kind: 'done', exit_code: 2 },
        ];
        await this.print(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      }
      await fail(new UsageError(error.message), false);
      code = 2;
    }
    await this.print('');
    // stdin may be open still, and what holds it open is not ours to wait for.
    process.exit(code);
  }
}
