import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { byId, nearest } from '../registry/registry.js';
import { flagValue } from '../request/flag-value.js';
import { duration } from '../request/kinds.js';
import { OPTIONS } from '../request/table.js';
import { TurnoutCommand } from './base.js';
import { LOG_FLAGS, logOf } from './log-flags.js';
import { serveAndExit } from './stdio-surface.js';

/** @throws UsageError for a name that nothing has: an editor would only see us exit */
function checkRuntime(runtime: string): void {
  if (runtime === 'auto' || /^acp:\s*\S/.test(runtime) || byId(runtime)) return;
  const [near] = nearest(runtime);
  const guess = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`there is no runtime called ${runtime}.${guess}`, { hint: 'turnout agent scan --all' });
}

export default class Acp extends TurnoutCommand {
  static override summary = 'Be an ACP agent on stdio, in front of any runtime: for editors.';
  static override description =
    'Speaks the Agent Client Protocol, version 1. docs/editors.md tells how editors are set up to start it.';
  static override examples = [
    '<%= config.bin %> acp --runtime claude',
    '<%= config.bin %> acp --runtime codex --access edit --settings user,project',
    '<%= config.bin %> acp --runtime claude --check',
  ];
  static override flags = {
    runtime: Flags.string({
      char: 'r',
      summary: 'what sessions begin with: an id, auto, or acp:COMMAND',
      helpValue: 'ID',
      default: 'auto',
    }),
    access: Flags.string({
      summary: 'the mode sessions begin with (scoped)',
      helpValue: `<${OPTIONS.access.kind.words?.join('|')}>`,
    }),
    model: Flags.string({ char: 'm', summary: 'the model sessions begin with', helpValue: 'ID' }),
    effort: Flags.string({
      summary: 'the effort sessions begin with',
      helpValue: `<${OPTIONS.effort.kind.words?.join('|')}>`,
    }),
    settings: Flags.string({
      summary:
        'how much of your own configuration of the runtime is loaded: none, or some of user,project,local (none)',
      helpValue: 'CSV',
    }),
    store: Flags.string({ summary: 'where sessions are kept: a file, or memory', helpValue: 'PATH' }),
    'allow-root': Flags.boolean({ summary: 'offer full access although we run as root' }),
    'no-client-mcp': Flags.boolean({ summary: 'do not hand the MCP servers of the client to the runtime' }),
    'permission-timeout': Flags.string({
      summary: 'a permission that nobody answers is denied after this time (0: never)',
      helpValue: 'DURATION',
    }),
    ...LOG_FLAGS,
    check: Flags.boolean({ summary: 'look whether it would work; exits with 0 or 1' }),
    setup: Flags.boolean({ summary: 'log in to the runtime, in this terminal' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Acp);
    checkRuntime(flags.runtime);
    const options = {
      runtime: flags.runtime,
      access: flagValue(OPTIONS.access.kind, 'access', flags.access) ?? OPTIONS.access.default,
      model: flagValue(OPTIONS.model.kind, 'model', flags.model) ?? null,
      effort: flagValue(OPTIONS.effort.kind, 'effort', flags.effort) ?? null,
      settings: flagValue(OPTIONS.settings.kind, 'settings', flags.settings) ?? [],
      ...(flags.store === undefined ? {} : { store: flags.store }),
      allowRoot: flags['allow-root'],
      servers: !flags['no-client-mcp'],
      askMs: flagValue(duration, 'permission-timeout', flags['permission-timeout']) ?? 0,
      env: process.env,
      turnout: ownArgv(),
      version: VERSION,
      log: logOf(flags),
    };
    if (flags.setup) {
      const { login } = await import('../serve/acp/login.js');
      const { runtime, env, turnout } = options;
      const say = (text: string) => void process.stdout.write(`${text}\n`);
      process.exitCode = await login({ runtime, env, turnout, terminal: process.stdin.isTTY === true, say });
      return;
    }
    if (flags.check) {
      const { check } = await import('../serve/acp/check.js');
      const { ok, lines } = await check(options);
      process.exitCode = ok ? 0 : 1;
      return this.print(`${lines.join('\n')}\n`);
    }
    const { serveAcp } = await import('../serve/acp/serve.js');
    await serveAndExit(() => serveAcp(options));
  }
}
