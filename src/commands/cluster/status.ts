import * as Flags from '@oclif/core/flags';
import type { ClusterStatus } from '../../cluster/report.js';
import { TurnoutCommand } from '../base.js';
import { CLUSTER_AT } from '../cluster-flags.js';
import { onCluster } from '../on-cluster.js';
import { shownBytes } from '../sizes.js';

function lines({ engine, members, queued, running, stuck }: ClusterStatus): string[] {
  const shown = members.map(({ id, role, host, places, running: now, waiting, draining, labels, runtimes, memory }) => {
    const does =
      role === 'front'
        ? []
        : [
            `${now} of ${places} places taken`,
            ...(waiting > 0 ? [`${waiting} waiting for somebody`] : []),
            Object.keys(runtimes).join(' ') || 'no runtime',
            ...(labels.length > 0 ? [`labels ${labels.join(' ')}`] : []),
            `${shownBytes(memory.free)} free`,
          ];
    return [`  ${id}`, role, host, ...does, ...(draining ? ['draining'] : [])].join('  ');
  });
  return [
    `${engine}: ${queued} waiting, ${running} under way`,
    ...(members.length === 0 ? ['  no members'] : shown),
    ...stuck.map(({ run_id, why }) => `  ${run_id} waits: ${why}`),
  ];
}

export default class ClusterStatusCommand extends TurnoutCommand {
  static override summary = 'Print who belongs to a cluster, and what is under way in it.';
  static override flags = { ...CLUSTER_AT, json: Flags.boolean({ summary: 'one JSON object' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(ClusterStatusCommand);
    const { clusterStatus } = await import('../../cluster/report.js');
    const found = await onCluster(flags, clusterStatus);
    await this.print(flags.json ? `${JSON.stringify(found)}\n` : `${lines(found).join('\n')}\n`);
  }
}
