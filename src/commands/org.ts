/** `turnout org`: series of turns of the project in the working folder. */

import { TurnoutError, UsageError } from '../contract/error.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { textTable } from '../output/text-table.js';
import { oneLine } from '../text/printable.js';
import { type ReadFlags, readArgv } from './argv.js';
import { TurnoutCommand } from './base.js';
import { forHelp } from './help-flags.js';
import { ORG_FLAGS, type OrgFlag } from './org-flags.js';
import type { Asked } from './org-reads.js';

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One line for each field, or for each item. */
function forPeople({ v: _v, ...document }: JsonObject): string {
  const { items, ...rest } = document;
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const line = (object: JsonObject) =>
    Object.entries(object)
      .map(([key, value]) => `${key}=${shown(value)}`)
      .join('  ');
  const list = Array.isArray(items) ? items.map((item) => line({ ...(item as JsonObject) })) : [];
  const head = textTable(Object.entries(rest).map(([key, value]) => [key, oneLine(shown(value))]));
  const lines = [...list, ...(Array.isArray(items) && items.length === 0 ? ['nothing'] : [])];
  return head + lines.map((one) => `${oneLine(one)}\n`).join('');
}

export default class Org extends TurnoutCommand {
  static override summary = 'Look at the orgs of a project (series of turns), and answer, stop or begin their runs.';
  static override description =
    'An org is defined in turnout.config.json, or begun by a turn with --org NAME --role ROLE. Subcommands: list, status, events, ' +
    'logs, report, costs, questions, gates, approvals, decisions, flow, memory, validate; run, stop, answer, approve, deny. ' +
    'docs/orgs.md describes them.';
  static override usage = 'org SUBCOMMAND [NAME] [FLAG…]';
  static override examples = [
    '<%= config.bin %> org list --format json',
    '<%= config.bin %> org events reviews --follow',
  ];
  static override strict = false;
  static override flags = forHelp(ORG_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    try {
      await this.answer();
    } catch (error) {
      const { OrgError } = await import('../serve/org/project.js');
      const { CoreError } = await import('../runs/failure.js');
      const { StoreError } = await import('../runs/store/store-error.js');
      const known = [OrgError, CoreError, StoreError, TurnoutError].some((kind) => error instanceof kind);
      if (!known) throw error;
      process.exitCode = error instanceof UsageError ? 2 : 1;
      process.stderr.write(`turnout: ${words(error).replaceAll('\n', ' ')}\n`);
    }
  }

  private async answer(): Promise<void> {
    const flags: ReadFlags<OrgFlag> = readArgv(this.argv, ORG_FLAGS, 'turnout org', { words: true });
    const [sub, ...rest] = flags.words;
    const format = flags.one('format') ?? 'text';
    if (format !== 'json' && format !== 'text') throw new UsageError('--format: expected json or text');
    if (sub === undefined) throw new UsageError('which subcommand? org list, status, events, …; turnout org --help');
    const [{ READS }, { ACTIONS, MISSING, runOf }, { readOrgs }, { projectOf }] = await Promise.all([
      import('./org-reads.js'),
      import('./org-actions.js'),
      import('../runs/org/open.js'),
      import('../runs/org/series.js'),
    ]);
    const isKnown = Object.hasOwn(READS, sub) || Object.hasOwn(ACTIONS, sub) || sub === 'events' || sub === 'run';
    if (!isKnown && MISSING.has(sub)) {
      const { OrgError } = await import('../serve/org/project.js');
      throw new OrgError(`turnout has no "org ${sub}"`);
    }
    if (!isKnown) throw new UsageError(`unknown subcommand "org ${sub.slice(0, 40)}"`);
    const project = { folder: projectOf(process.cwd()), store: await readOrgs(process.env) };
    const asked: Asked = { project, words: rest, flags };
    if (sub === 'events') {
      const { printEvents } = await import('./org-events.js');
      await printEvents(asked);
      return process.exit(0);
    }
    if (sub === 'run') return this.begin(await runOf(asked), flags, format);
    const answered = await (READS[sub] ?? ACTIONS[sub])?.(asked);
    if (answered) await this.print(format === 'json' ? `${JSON.stringify(answered)}\n` : forPeople(answered));
    project.store?.close();
  }

  private async begin(
    { argv, plan }: { argv: string[]; plan: JsonObject },
    flags: ReadFlags<OrgFlag>,
    format: 'json' | 'text',
  ): Promise<void> {
    if (flags.has('dry-run')) return this.print(format === 'json' ? `${JSON.stringify(plan)}\n` : forPeople(plan));
    if (!flags.has('yes')) {
      const { OrgError } = await import('../serve/org/project.js');
      throw new OrgError('org run begins a turn that may cost something: add --yes, or --dry-run to see it');
    }
    const { runExec } = await import('./exec.js');
    return runExec([...argv, '--format', format]);
  }
}
