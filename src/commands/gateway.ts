import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { flagValue } from '../request/flag-value.js';
import { OPTIONS } from '../request/table.js';
import { TurnoutCommand } from './base.js';
import { sessionRuntime } from './gateway-flags.js';
import { LOG_FLAGS, logOf } from './log-flags.js';
import { commandRunners } from './own-runners.js';
import { runnerFlag } from './runner-flag.js';
import { serveAndExit } from './stdio-surface.js';

export default class Gateway extends TurnoutCommand {
  static override summary = 'Be a gateway on stdin and stdout: JSON-RPC for terminal and desktop clients.';
  static override description =
    'Clients start it and hold sessions, prompts, questions and their answers in one connection. ' +
    'The server offers the same at /api/ws. docs/gateway.md describes the protocol.';
  static override examples = [
    '<%= config.bin %> gateway --runtime claude',
    '<%= config.bin %> gateway --access edit --settings user,project --store ~/sessions.db',
  ];
  static override flags = {
    runtime: Flags.string({
      char: 'r',
      summary: 'the runtime of sessions that name none: an id, or auto',
      helpValue: 'ID',
      default: 'auto',
    }),
    access: Flags.string({
      summary: 'the mode that sessions work in (scoped)',
      helpValue: `<${OPTIONS.access.kind.words?.join('|')}>`,
    }),
    settings: Flags.string({
      summary:
        'how much of your own configuration of the runtime is loaded: none, or some of user,project,local (none)',
      helpValue: 'CSV',
    }),
    cwd: Flags.string({ summary: 'the folder of sessions that name none (.)', helpValue: 'DIR' }),
    store: Flags.string({ summary: 'where sessions are kept: a file, or memory', helpValue: 'PATH' }),
    'allow-root': Flags.boolean({ summary: 'offer full access although we run as root' }),
    runner: runnerFlag,
    ...LOG_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Gateway);
    const { runners } = await commandRunners(flags.runner);
    const runtime = sessionRuntime('--runtime', flags.runtime, runners);
    const cwd = resolve(flags.cwd ?? '.');
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`--cwd: ${cwd} is not a folder`);
    const { serveGateway } = await import('../serve/gateway/serve.js');
    await serveAndExit(() =>
      serveGateway({
        runtime,
        access: flagValue(OPTIONS.access.kind, 'access', flags.access) ?? OPTIONS.access.default,
        settings: flagValue(OPTIONS.settings.kind, 'settings', flags.settings) ?? [],
        allowRoot: flags['allow-root'],
        cwd,
        ...(flags.store === undefined ? {} : { store: flags.store }),
        runners,
        env: process.env,
        turnout: ownArgv(),
        version: VERSION,
        log: logOf(flags),
      }),
    );
  }
}
