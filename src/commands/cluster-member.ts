/** `--role` and what belongs to it: this process as a member of a cluster. */

import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { scan } from '../discovery/scan.js';
import { flagValue } from '../request/flag-value.js';
import { duration } from '../request/kinds.js';
import type { Cluster } from '../serve/open-core.js';
import { CLUSTER_AT, type ClusterFlags, clusterAt, defaultMember } from './cluster-flags.js';

const ROLES = ['all', 'front', 'worker'] as const;

export const MEMBER_FLAGS = {
  role: Flags.string({
    summary: 'in a cluster: front answers callers, worker runs turns, all does both',
    options: [...ROLES],
    default: 'all',
  }),
  ...CLUSTER_AT,
  'member-id': Flags.string({
    summary: 'name of this member, the same after a restart (the name of the host)',
    helpValue: 'ID',
  }),
  label: Flags.string({
    summary: 'what a turn may ask of its worker; repeatable',
    helpValue: 'LABEL',
    multiple: true,
  }),
  archive: Flags.string({
    summary: 'folder, shared by all members, for the logs of runs that ended a while ago',
    helpValue: 'DIR',
  }),
  'archive-after': Flags.string({ summary: 'how long ago they ended (24h)', helpValue: 'DURATION' }),
  lease: Flags.string({
    summary: 'how long a member may be silent before it counts as gone (30s)',
    helpValue: 'DURATION',
  }),
};

export interface MemberFlags extends ClusterFlags {
  role: string;
  'member-id': string | undefined;
  label: string[] | undefined;
  archive: string | undefined;
  'archive-after': string | undefined;
  lease: string | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const LEAST_LEASE_MS = 2000;

/** @param keepMs how long sessions are kept, milliseconds @returns undefined: no cluster @throws UsageError */
export function memberOf(flags: MemberFlags, env: NodeJS.ProcessEnv, keepMs: number | null): Cluster | undefined {
  const role = ROLES.find((one) => one === flags.role) ?? 'all';
  const at = clusterAt(flags, env);
  if (!at) {
    for (const name of ['member-id', 'label', 'lease', 'archive', 'archive-after'] as const)
      if (flags[name] !== undefined) throw new UsageError(`--${name} needs --cluster`);
    if (role !== 'all') throw new UsageError(`--role ${role} needs --cluster`);
    return undefined;
  }
  const id = flags['member-id'] ?? defaultMember(role);
  if (!ID.test(id)) throw new UsageError('--member-id: expected letters, digits, - and _, 63 at most');
  const bad = flags.label?.find((one) => !/^[a-z0-9][a-z0-9_-]{0,62}$/.test(one));
  if (bad !== undefined) throw new UsageError(`--label ${bad}: expected small letters, digits, - and _`);
  const leaseMs = flagValue(duration, 'lease', flags.lease);
  if (leaseMs !== undefined && leaseMs < LEAST_LEASE_MS) throw new UsageError('--lease: expected 2s or more');
  const archiveMs = flagValue(duration, 'archive-after', flags['archive-after']);
  if (archiveMs !== undefined && flags.archive === undefined) throw new UsageError('--archive-after needs --archive');
  return {
    role,
    name: id,
    async open(around, complain) {
      const [{ openEngine }, { openCluster }] = await Promise.all([
        import('../cluster/open.js'),
        import('../cluster/core.js'),
      ]);
      const found = role === 'front' ? null : await installed(around);
      const lease = leaseMs === undefined ? {} : { leaseMs };
      const opened = await openEngine(at.url, { name: at.name, complain, ...lease });
      try {
        return await openCluster({
          ...around,
          ...opened,
          role,
          id,
          labels: flags.label ?? [],
          runtimes: found ?? {},
          keepMs,
          archive: flags.archive === undefined ? undefined : resolve(flags.archive),
          archiveMs,
          ...lease,
          complain,
        });
      } catch (error) {
        await opened.engine.close();
        throw error;
      }
    },
  };
}

type Around = Parameters<Cluster['open']>[0];

/** Ids of what is installed here, with versions. */
async function installed({ runners, ambient, cwd, turnout }: Around): Promise<Record<string, string | null>> {
  const { homedir } = await import('node:os');
  const places = { env: ambient, home: homedir(), platform: process.platform, cwd, turnout };
  const { agents } = await scan(runners, { places, installed: true, all: true });
  return Object.fromEntries(agents.map(({ id, version }) => [id, version]));
}
