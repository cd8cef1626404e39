/** Which org a run belongs to: it stands in the run's metadata, so that every store and surface keeps it. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realFolder } from '../../process/real-folder.js';
import type { Metadata, RunRecord } from '../records.js';

/** An org and who speaks in it. */
export interface Series {
  org: string;
  role: string;
  /** The folder that the org belongs to; absolute. */
  project: string;
}

const KEYS = { org: 'turnout.org', role: 'turnout.role', project: 'turnout.project' } as const;
/** What makes a folder a project. */
const MARKS = ['turnout.config.json', '.git'];

/** The nearest project that holds a folder; the folder itself when there is none. */
export function projectOf(folder: string): string {
  const own = realFolder(folder);
  for (let at = own; ; at = dirname(at)) {
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (dirname(at) === at) return own;
  }
}

export const seriesMetadata = (series: Series): Metadata => ({
  [KEYS.org]: series.org,
  [KEYS.role]: series.role,
  [KEYS.project]: series.project,
});

/** @returns null when the run belongs to no org */
export function seriesOf({ metadata }: Pick<RunRecord, 'metadata'>): Series | null {
  const { [KEYS.org]: org, [KEYS.role]: role, [KEYS.project]: project } = metadata;
  return org === undefined || role === undefined || project === undefined ? null : { org, role, project };
}

/** The id of a run among those of its org: as text it sorts by time. */
export function orgRunId({ run_id, created_at }: Pick<RunRecord, 'run_id' | 'created_at'>): string {
  const digits = new Date(created_at).toISOString().replace(/\D/g, '');
  return `run-${digits}-${run_id.replace(/^run_/, '').slice(0, 12)}`;
}
