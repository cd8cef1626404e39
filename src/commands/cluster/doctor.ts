import * as Flags from '@oclif/core/flags';
import { TurnoutCommand } from '../base.js';
import { CLUSTER_AT } from '../cluster-flags.js';
import { onCluster } from '../on-cluster.js';

export default class ClusterDoctor extends TurnoutCommand {
  static override summary = 'Look a cluster over; exits with 1 when something is wrong with it.';
  static override description =
    'Checks the engine (version, persistence, memory, TLS, password), whether there are fronts and workers of one version, and runs that nobody can take. Changes nothing.';
  static override flags = { ...CLUSTER_AT, json: Flags.boolean({ summary: 'one JSON object' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(ClusterDoctor);
    const { clusterFindings } = await import('../../cluster/report.js');
    const warnings: string[] = [];
    const findings = await onCluster(
      flags,
      (engine) => clusterFindings(engine, warnings),
      (text) => warnings.push(text),
    );
    if (findings.some(({ level }) => level === 'error')) process.exitCode = 1;
    const text = findings.map(({ level, message }) => `${level}: ${message}\n`).join('');
    await this.print(flags.json ? `${JSON.stringify({ v: 1, findings })}\n` : text);
  }
}
