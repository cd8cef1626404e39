import { realpathSync } from 'node:fs';
import * as Flags from '@oclif/core/flags';
import { ownArgv } from '../../exec/own-argv.js';
import { VERSION } from '../../exec/version.js';
import { openJobs } from '../../jobs/open.js';
import { signalled } from '../../runs/lifetime.js';
import { TurnoutCommand } from '../base.js';
import { refuseImplementer, reporting, SERVICE_FLAGS, settingsOf } from '../jobs-reading.js';
import { commandRunners } from '../own-runners.js';

export default class JobsMcp extends TurnoutCommand {
  static override summary = 'Be an MCP server for coding jobs on stdin and stdout: submit, get and audit as tools.';
  static override description =
    'The implementer is chosen here, never by a caller; the caller judges. Work that is under way when stdin ends fails with service_restarted.';
  static override examples = ['claude mcp add coding -- <%= config.bin %> jobs mcp --implementer codex'];
  static override flags = {
    ...SERVICE_FLAGS,
    implementer: Flags.string({
      summary: 'the runtime that does the work: ID or ID/MODEL',
      helpValue: 'ID',
      required: true,
    }),
    compat: Flags.string({
      summary: 'flyto: names, codes, digests and strictness of the coding service of flyto-ai 0.20',
      options: ['flyto'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JobsMcp);
    refuseImplementer();
    // Without a list of folders the server works where it was started.
    const roots = flags.root === undefined ? { roots: [realpathSync(process.cwd())] } : {};
    const settings = settingsOf(flags.implementer, flags, {
      compat: flags.compat === 'flyto' ? 'flyto' : null,
      ...roots,
    });
    const complain = (message: string) => void process.stderr.write(`turnout: ${message}\n`);
    const { runners } = await commandRunners(flags.runner);
    const open = await reporting(() =>
      openJobs({
        ...{ settings, runners, complain, env: process.env, turnout: ownArgv(), version: VERSION },
        cwd: process.cwd(),
        takeWaiting: true,
      }),
    );
    try {
      const { serveCodingMcp } = await import('../../serve/mcp/coding.js');
      await serveCodingMcp({
        ...{ jobs: open.jobs, version: VERSION, complain },
        input: process.stdin,
        output: process.stdout,
        stopped: signalled(),
      });
    } finally {
      await open.close();
    }
    await this.print('');
    // stdin may be open still, and what holds it open is not ours to wait for.
    process.exit(0);
  }
}
