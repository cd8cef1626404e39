/** Which cluster is meant. Its address may hold a password, which never stands in an argument. */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';

export const CLUSTER_AT = {
  cluster: Flags.string({
    summary: 'redis://, rediss:// or postgres:// address of the engine, without a password',
    helpValue: 'URL',
  }),
  'cluster-file': Flags.string({
    summary: 'read the address from a file; the variable TURNOUT_CLUSTER counts too',
    helpValue: 'PATH',
  }),
  'cluster-name': Flags.string({ summary: 'of several clusters on one engine (turnout)', helpValue: 'NAME' }),
};

export interface ClusterFlags {
  cluster: string | undefined;
  'cluster-file': string | undefined;
  'cluster-name': string | undefined;
}

export interface ClusterAt {
  url: string;
  name: string;
  /** What must not be printed. */
  secrets: readonly string[];
}

const SCHEMES = ['redis:', 'rediss:', 'postgres:', 'postgresql:'];

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--cluster-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @returns null when none is named @throws UsageError */
export function clusterAt(flags: ClusterFlags, env: NodeJS.ProcessEnv): ClusterAt | null {
  const { cluster, 'cluster-file': file, 'cluster-name': name = 'turnout' } = flags;
  if (cluster !== undefined && file !== undefined)
    throw new UsageError('--cluster and --cluster-file name the same thing: give one of them');
  const url = cluster ?? (file === undefined ? env['TURNOUT_CLUSTER'] : fileText(file));
  if (url === undefined || url === '') {
    if (flags['cluster-name'] !== undefined) throw new UsageError('--cluster-name needs --cluster');
    return null;
  }
  const from = cluster !== undefined ? '--cluster' : file !== undefined ? '--cluster-file' : 'TURNOUT_CLUSTER';
  if (!URL.canParse(url) || !SCHEMES.includes(new URL(url).protocol))
    throw new UsageError(`${from}: expected an address that begins with redis://, rediss:// or postgres://`);
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(name))
    throw new UsageError('--cluster-name: expected small letters, digits and _');
  const { password } = new URL(url);
  if (password === '') return { url, name, secrets: [] };
  if (cluster !== undefined)
    throw new UsageError(
      '--cluster: others see this password in the list of processes; put the address into --cluster-file PATH or TURNOUT_CLUSTER',
    );
  return { url, name, secrets: [url, password, decodeURIComponent(password)] };
}

/** @throws UsageError */
export function needCluster(flags: ClusterFlags, env: NodeJS.ProcessEnv): ClusterAt {
  const at = clusterAt(flags, env);
  if (at) return at;
  throw new UsageError('name a cluster: --cluster URL, --cluster-file PATH or the variable TURNOUT_CLUSTER');
}

/** What another member can't be called by accident: a host has one worker. */
export const defaultMember = (role: 'all' | 'front' | 'worker'): string => {
  const host =
    hostname()
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, 40) || 'host';
  return role === 'front' ? `${host}-front-${process.pid}` : host;
};
