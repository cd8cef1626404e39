import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { openBrowser } from '../process/open-browser.js';
import { stateDir } from '../process/state-dir.js';
import { TurnoutCommand } from './base.js';
import { fail } from './failure.js';
import { LOG_FLAGS, logOf } from './log-flags.js';
import { mcpAllowed } from './mcp-allowed.js';
import { commandRunners } from './own-runners.js';
import { PAGE_ACCESS, pageAccess } from './page-access.js';
import { runnerFlag } from './runner-flag.js';

export default class Page extends TurnoutCommand {
  static override summary = 'Open the page: what runs, what it says and does, and what waits for an answer.';
  static override description =
    'Finds the server on this machine, or starts one that runs until Ctrl-C. Prints an address that works once, within a minute.';
  static override examples = ['<%= config.bin %> page', '<%= config.bin %> page --no-open --port 9090'];
  static override flags = {
    port: Flags.integer({
      summary: 'where the server listens on 127.0.0.1 (8889)',
      helpValue: 'N',
      min: 0,
      max: 65_535,
    }),
    open: Flags.boolean({ summary: 'show it in the browser', allowNo: true, default: true }),
    'auth-token-file': Flags.string({
      summary: "the server's token; the variable TURNOUT_TOKEN counts too",
      helpValue: 'PATH',
    }),
    'page-access': PAGE_ACCESS,
    store: Flags.string({ summary: 'where a server that is started keeps runs: a file, or memory', helpValue: 'PATH' }),
    runner: runnerFlag,
    ...LOG_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Page);
    const [{ invitation, tokenIn }, { PORT }] = await Promise.all([
      import('../serve/page/invite.js'),
      import('../serve/listen/address.js'),
    ]);
    const file = flags['auth-token-file'];
    const token = () => process.env['TURNOUT_TOKEN'] ?? tokenIn(file ?? join(stateDir(process.env), 'server-token'));
    const show = async (url: string) => {
      await this.print(`${url}\n`);
      if (flags.open && process.stdout.isTTY && !(await openBrowser(url)))
        process.stderr.write('turnout: no browser could be started; open the address above\n');
    };
    const port = flags.port ?? PORT;
    const url = port === 0 ? null : await invitation({ host: '127.0.0.1', port }, token());
    if (url !== null) return show(url);
    process.exit(
      await this.begin(port, async (address) => {
        const own = await invitation(address, token());
        if (own === null) throw new Error('the server that was just started does not answer');
        await show(own);
      }),
    );
  }

  private async begin(port: number, opened: (address: { host: string; port: number }) => Promise<void>) {
    const { flags } = await this.parse(Page);
    const [{ serve }, { ServeError }] = await Promise.all([
      import('../serve/server.js'),
      import('../serve/serve-error.js'),
    ]);
    try {
      return await serve({
        transport: 'http',
        singleShot: false,
        port,
        tokenFile: flags['auth-token-file'],
        noAuth: false,
        allowHosts: [],
        allowOrigins: [],
        ...(await commandRunners(flags.runner)),
        store: flags.store,
        drainMs: 10_000,
        mcp: mcpAllowed({ runtime: 'auto', access: 'scoped', approvals: 'ask', maxDepth: undefined }),
        pageAccess: pageAccess(flags['page-access']),
        listening: (address) => {
          opened(address).catch((error: unknown) => {
            process.stderr.write(`turnout: ${error instanceof Error ? error.message : String(error)}\n`);
          });
        },
        env: process.env,
        turnout: ownArgv(),
        version: VERSION,
        log: logOf(flags),
      });
    } catch (error) {
      if (!(error instanceof ServeError)) throw error;
      await fail(new UsageError(error.message), false);
      return 2;
    }
  }
}
