import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { SANDBOX_FALLBACKS, SANDBOX_MODES } from '../../contract/vocabulary.js';
import { testExit, testRuntime } from '../../inspect/test-runtime.js';
import { testText } from '../../output/list-tables.js';
import { flagValue } from '../../request/flag-value.js';
import { place } from '../../request/place.js';
import { asFlags } from '../../request/spelling.js';
import { OPTIONS } from '../../request/table.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { personaHooks } from '../persona-hooks.js';
import { runnerFlag } from '../runner-flag.js';

export default class Test extends TurnoutCommand {
  static override summary = 'Ask a runtime for one word, to see whether it works.';
  static override description =
    'One small turn at the default access mode, in an empty folder that is removed afterwards: it uses the login and costs what such a turn ' +
    'costs. Exit codes: 0 it answered, 1 it did not, 124 out of time, 2 wrong usage.';
  static override examples = [
    '<%= config.bin %> agent test claude',
    '<%= config.bin %> agent test codex --model gpt-5 --json',
  ];
  static override args = { runtime: Args.string({ description: 'which one' }) };
  static override flags = {
    model: Flags.string({ char: 'm', summary: 'passed on to the runtime as it is', helpValue: 'ID' }),
    timeout: Flags.string({ summary: 'limit for the turn (60s)', helpValue: 'DURATION' }),
    sandbox: Flags.string({ summary: 'the runtime’s own confinement', helpValue: `<${SANDBOX_MODES.join('|')}>` }),
    'sandbox-fallback': Flags.string({
      summary: 'what happens where the runtime lacks that mode (fail)',
      helpValue: `<${SANDBOX_FALLBACKS.join('|')}>`,
    }),
    env: Flags.string({ summary: 'a variable for the runtime; repeatable', helpValue: 'KEY=VALUE', multiple: true }),
    runner: runnerFlag,
    json: Flags.boolean({ summary: 'one JSON document' }),
    'claude-path': Flags.string({ summary: 'same as the variable CLAUDE_CLI_BIN', helpValue: 'PATH', hidden: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Test);
    if (args.runtime === undefined) throw new UsageError('which runtime?', { hint: 'turnout agent scan' });
    const claude = flags['claude-path'];
    const controller = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    const { runners } = await commandRunners(flags.runner, { runtime: args.runtime });
    const report = await testRuntime({
      ...(await personaHooks({ access: 'scoped' })),
      runners,
      runtime: args.runtime,
      model: flagValue(OPTIONS.model.kind, 'model', flags.model) ?? null,
      timeoutMs: flagValue(OPTIONS.timeoutMs.kind, 'timeout', flags.timeout) ?? 60_000,
      sandbox: flagValue(OPTIONS.sandbox.kind, 'sandbox', flags.sandbox) ?? null,
      sandboxFallback:
        flagValue(OPTIONS.sandboxFallback.kind, 'sandbox-fallback', flags['sandbox-fallback']) ??
        OPTIONS.sandboxFallback.default,
      env: OPTIONS.env.kind.texts?.(flags.env ?? [], place(asFlags, ['env'])) ?? {},
      ambient: claude === undefined ? process.env : { ...process.env, CLAUDE_CLI_BIN: claude },
      signal: controller.signal,
    });
    process.exitCode = controller.signal.aborted ? 130 : testExit(report);
    await this.print(flags.json ? `${JSON.stringify(report)}\n` : testText(report));
  }
}
