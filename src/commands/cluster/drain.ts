import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { TurnoutCommand } from '../base.js';
import { CLUSTER_AT } from '../cluster-flags.js';
import { onCluster } from '../on-cluster.js';

/** Milliseconds between two looks. */
const LOOK_MS = 500;

export default class ClusterDrain extends TurnoutCommand {
  static override summary = 'Let a worker take nothing more; its turns go on.';
  static override description =
    'Sessions that it began wait until it takes turns again, or is gone. With --wait the command ends when nothing runs there any more.';
  static override args = { member: Args.string({ description: 'the id of the worker', required: true }) };
  static override flags = {
    ...CLUSTER_AT,
    undo: Flags.boolean({ summary: 'let it take turns again', exclusive: ['wait'] }),
    wait: Flags.boolean({ summary: 'wait until nothing runs there' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ClusterDrain);
    await onCluster(flags, async (engine) => {
      const of = async () => (await engine.members()).find(({ id, role }) => id === args.member && role !== 'front');
      if (!flags.undo && !(await of()))
        throw new UsageError(`there is no worker ${args.member}; turnout cluster status lists them`);
      await engine.setDraining(args.member, !flags.undo);
      const runs = async () =>
        (await engine.open()).filter(({ worker }) => worker?.startsWith(`${args.member}#`)).length;
      while (flags.wait && (await runs()) > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const now = flags.undo ? 'takes turns again' : `takes nothing more; ${await runs()} turns are under way there`;
      await this.print(`${args.member} ${now}\n`);
    });
  }
}
