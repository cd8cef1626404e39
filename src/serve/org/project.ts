/** The orgs of one project: those that its configuration defines, and those that turns were begun in. */

import { join } from 'node:path';
import { UsageError } from '../../contract/error.js';
import { readConfigFile } from '../../registry/config.js';
import { isOrgName } from '../../request/names.js';
import { seriesOf } from '../../runs/org/series.js';
import type { RunRecord } from '../../runs/records.js';
import type { Store } from '../../runs/store/store.js';
import { isObject, obj, str } from '../../text/json.js';

/** A role as the configuration defines it. */
export interface Role {
  id: string;
  runtime: string;
  model?: string;
  access?: string;
}

/** An org as the configuration defines it; the first role begins its runs. */
export interface Definition {
  goal: string;
  schedule: string | null;
  roles: Role[];
}

export interface Org {
  name: string;
  /** null: no configuration defines it; a text says why the definition is invalid. */
  definition: Definition | string | null;
  /** Newest first. */
  runs: RunRecord[];
}

/** What `orgs` reads: a project folder, and the store if anything was ever kept. */
export interface Project {
  folder: string;
  store: Store | null;
}

/** A reading can't be answered as things are: exit code 1. */
export class OrgError extends Error {}

function roleOf(value: unknown): Role | string {
  if (!isObject(value)) return 'a role is not an object';
  const [id, runtime, model, access] = (['id', 'runtime', 'model', 'access'] as const).map((key) => str(value, key));
  if (id === undefined || !isOrgName(id)) return 'a role has no valid "id"';
  if (runtime === undefined) return `the role ${id} has no "runtime"`;
  return { id, runtime, ...(model === undefined ? {} : { model }), ...(access === undefined ? {} : { access }) };
}

function definitionOf(value: unknown): Definition | string {
  if (!isObject(value)) return 'it is not an object';
  const { roles: given, goal = '', schedule = null } = value;
  if (!Array.isArray(given) || given.length === 0) return '"roles" is not a list with at least one role';
  if (typeof goal !== 'string') return '"goal" is not a text';
  if (schedule !== null && typeof schedule !== 'string') return '"schedule" is neither a text nor null';
  const roles: Role[] = [];
  for (const one of given) {
    const role = roleOf(one);
    if (typeof role === 'string') return role;
    if (roles.some(({ id }) => id === role.id)) return `the role ${role.id} is defined twice`;
    roles.push(role);
  }
  return { goal, schedule, roles };
}

/** Sorted by name. @throws {OrgError} the configuration can't be read */
export async function orgsOf({ folder, store }: Project): Promise<Org[]> {
  const orgs = new Map<string, Org>();
  for (const [name, value] of Object.entries((await configured(folder)) ?? {})) {
    if (isOrgName(name)) orgs.set(name, { name, definition: definitionOf(value), runs: [] });
  }
  for (const run of store?.runs({ limit: 1_000_000, series: { project: folder } }) ?? []) {
    const name = seriesOf(run)?.org;
    if (name === undefined || !isOrgName(name)) continue;
    const org = orgs.get(name) ?? { name, definition: null, runs: [] };
    org.runs.push(run);
    orgs.set(name, org);
  }
  return [...orgs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function configured(folder: string) {
  try {
    return obj((await readConfigFile(join(folder, 'turnout.config.json'))) ?? {}, 'orgs');
  } catch (error) {
    if (error instanceof UsageError) throw new OrgError(error.message);
    throw error;
  }
}

/** @throws {OrgError} there is no such org; UsageError: it can't be a name */
export async function needOrg(project: Project, name: string | undefined): Promise<Org> {
  if (name === undefined) throw new UsageError('which org?');
  if (!isOrgName(name)) throw new UsageError(`invalid org name ${JSON.stringify(name.slice(0, 80))}`);
  const found = (await orgsOf(project)).find((org) => org.name === name);
  if (!found) throw new OrgError(`org '${name}' not found`);
  return found;
}
