import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { ownArgv } from '../../exec/own-argv.js';
import { VERSION } from '../../exec/version.js';
import { TERMINAL } from '../../jobs/job.js';
import { LOOP_INSTRUCTIONS, loopTools } from '../../jobs/loop.js';
import { openJobs } from '../../jobs/open.js';
import { type JobStore, jobsDir, openJobStore } from '../../jobs/store.js';
import { signalled } from '../../runs/lifetime.js';
import { ownerAt } from '../../runs/sight.js';
import { fingerprint } from '../../serve/jobs/supervise/fingerprint.js';
import { supervise } from '../../serve/jobs/supervise/supervisor.js';
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
    tools: Flags.string({
      summary:
        'jobs: submit, get, audit; loop: plan, execute, verify, get_evidence, which keep what is large behind handles',
      options: ['jobs', 'loop'],
      default: 'jobs',
    }),
    supervise: Flags.boolean({
      summary:
        'keep the connection of the host over an upgrade of turnout: the server behind it is replaced between jobs',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JobsMcp);
    refuseImplementer();
    if (flags.supervise) return this.supervise();
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
        ...(flags.tools === 'loop'
          ? { tools: loopTools({ ...open, caller: ownerAt('mcp') }), instructions: LOOP_INSTRUCTIONS }
          : {}),
        input: process.stdin,
        output: process.stdout,
        stopped: signalled(),
      });
    } finally {
      await open.close();
    }
    await this.leave();
  }

  private async supervise(): Promise<void> {
    const [node = '', bin = ''] = ownArgv();
    const opened: JobStore[] = [];
    await supervise({
      argv: [node, bin, ...process.argv.slice(2).filter((word) => word !== '--supervise')],
      input: process.stdin,
      output: process.stdout,
      fingerprint: () => fingerprint(dirname(dirname(bin))),
      async isOver(job) {
        try {
          if (opened.length === 0) opened.push(await openJobStore(jobsDir(process.env)));
          return TERMINAL.has(opened[0]?.get(job)?.state ?? 'queued');
        } catch {
          // A newer turnout may keep its jobs otherwise: its answers tell.
          return false;
        }
      },
      stopped: signalled(),
      complain: (message) => void process.stderr.write(`turnout: ${message}\n`),
    });
    for (const store of opened) store.close();
    await this.leave();
  }

  private async leave(): Promise<void> {
    await this.print('');
    // stdin may be open still, and what holds it open is not ours to wait for.
    process.exit(0);
  }
}
