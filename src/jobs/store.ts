/**
 * Where jobs are kept: one SQLite file for all processes of a person. Every change is on the disk before it is answered
 * (`synchronous = FULL`), and decided in one transaction, so that two processes never take the same job.
 */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { stateDir } from '../process/state-dir.js';
import { type Connect, type Database, type Row, sqlite } from '../runs/store/database.js';
import { isHeld, takeLock } from '../runs/store/lock.js';
import { makePrivate } from '../runs/store/private-files.js';
import { StoreError } from '../runs/store/store-error.js';
import { isObject, parseObject } from '../text/json.js';
import { JobError } from './failure.js';
import { JOB_STATES, type JobRecord, type JobState } from './job.js';

export interface JobFilter {
  limit: number;
  state?: JobState;
  /** Null: of everybody. */
  tenant: string | null;
}

export interface KeyEntry {
  job_id: string;
  request_sha256: string;
}

export interface JobStore {
  /** What marks the jobs that this process works on. */
  readonly worker: string;
  get(id: string): JobRecord | null;
  list(filter: JobFilter): JobRecord[];
  /** Grows with every change of any job. */
  position(): number;
  key(tenant: string, key: string): KeyEntry | null;
  /** A new job with its key. @throws JobError */
  add(job: JobRecord, key: string, most: number): void;
  /**
   * Changes a job as one step: nobody else's change comes between reading and writing.
   * @param change gets the job as it is; what it throws leaves all as it was
   */
  change(id: string, change: (job: JobRecord) => void): JobRecord;
  putReceipt(job: string, envelope: string): void;
  receipt(job: string): string | null;
  /** Jobs whose receipts name this commit, or that landed as it. */
  byCommit(commit: string): JobRecord[];
  putEvidence(job: string, name: string, text: string): void;
  evidence(job: string, name: string): string | null;
  /** Whether the process of a mark lives. */
  isAlive(worker: string): boolean;
  close(): void;
}

export const jobsDir = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'jobs');

const VERSION = 1;
const TABLES = `CREATE TABLE IF NOT EXISTS jobs (
    job_id TEXT PRIMARY KEY, tenant TEXT NOT NULL, state TEXT NOT NULL, submitted_at INTEGER NOT NULL,
    changed INTEGER NOT NULL, made TEXT, data TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS jobs_by_time ON jobs (submitted_at);
  CREATE INDEX IF NOT EXISTS jobs_by_commit ON jobs (made);
  CREATE TABLE IF NOT EXISTS job_keys (
    tenant TEXT NOT NULL, key TEXT NOT NULL, job_id TEXT NOT NULL, request_sha256 TEXT NOT NULL, PRIMARY KEY (tenant, key));
  CREATE TABLE IF NOT EXISTS job_receipts (job_id TEXT PRIMARY KEY, envelope TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS job_evidence (
    job_id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (job_id, name));
  CREATE TABLE IF NOT EXISTS job_feed (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL);
  INSERT OR IGNORE INTO job_feed (one, position) VALUES (1, 0);`;

function isJob(value: unknown): value is JobRecord {
  return (
    isObject(value) &&
    typeof value['job_id'] === 'string' &&
    JOB_STATES.some((state) => state === value['state']) &&
    isObject(value['request']) &&
    isObject(value['policy']) &&
    Array.isArray(value['rounds']) &&
    Array.isArray(value['audits'])
  );
}

function jobOf(row: Row | undefined): JobRecord | null {
  const data: unknown = row === undefined ? null : parseObject(String(row['data']));
  if (row === undefined) return null;
  if (isJob(data)) return data;
  throw new JobError('service_unavailable', `the record of job ${String(row['job_id'])} is damaged`);
}

function opened(connect: Connect, path: string): Database {
  const db = connect(path);
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
    const version = Number(db.all('PRAGMA user_version')[0]?.['user_version'] ?? 0);
    if (version > VERSION)
      throw new JobError('service_unavailable', `${path} was written by a newer version of turnout; update turnout`);
    if (version < VERSION)
      db.transaction(() => {
        db.exec(TABLES);
        db.exec(`PRAGMA user_version = ${VERSION}`);
      });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @param dir the folder of all jobs @throws StoreError, JobError service_unavailable */
export async function openJobStore(dir: string): Promise<JobStore> {
  const connect = await sqlite();
  const path = join(dir, 'jobs.db');
  makeFolder(dirname(path), 0o700);
  makePrivate(path);
  const db = opened(connect, path);
  const worker = `w_${randomUUID()}`;
  const lockOf = (id: string) => join(dir, `${id}.lock`);
  const lock = takeLock(connect, lockOf(worker), 'alone');
  if (lock === null) {
    db.close();
    throw new JobError('service_unavailable', `the lock ${lockOf(worker)} can't be taken`);
  }

  /** What we refuse inside of a transaction comes out as it is. */
  function step<T>(work: () => T): T {
    let refused: unknown = null;
    try {
      return db.transaction(() => {
        try {
          return work();
        } catch (error) {
          refused = error;
          throw error;
        }
      });
    } catch (error) {
      throw refused instanceof StoreError ? error : (refused ?? error);
    }
  }
  const get = (id: string) => jobOf(db.all('SELECT * FROM jobs WHERE job_id = ?', id)[0]);
  function write(job: JobRecord): void {
    db.run('UPDATE job_feed SET position = position + 1');
    db.run(
      `INSERT OR REPLACE INTO jobs (job_id, tenant, state, submitted_at, changed, made, data)
       VALUES (?, ?, ?, ?, (SELECT position FROM job_feed), ?, ?)`,
      job.job_id,
      job.tenant,
      job.state,
      job.submitted_at,
      job.landed?.made ?? null,
      JSON.stringify(job),
    );
  }
  const textOf = (sql: string, ...values: string[]) => {
    const value = db.all(sql, ...values)[0]?.['text'];
    return typeof value === 'string' ? value : null;
  };
  return {
    worker,
    get,
    list({ limit, state, tenant }) {
      const rows = db.all(
        `SELECT * FROM jobs WHERE (? IS NULL OR state = ?) AND (? IS NULL OR tenant = ?)
         ORDER BY submitted_at DESC, rowid DESC LIMIT ?`,
        state ?? null,
        state ?? null,
        tenant,
        tenant,
        limit,
      );
      return rows.flatMap((row) => jobOf(row) ?? []);
    },
    position: () => Number(db.all('SELECT position FROM job_feed')[0]?.['position'] ?? 0),
    key(tenant, key) {
      const [row] = db.all('SELECT * FROM job_keys WHERE tenant = ? AND key = ?', tenant, key);
      return row ? { job_id: String(row['job_id']), request_sha256: String(row['request_sha256']) } : null;
    },
    add(job, key, most) {
      step(() => {
        const waiting = db.all("SELECT count(*) AS n FROM jobs WHERE state IN ('queued', 'rework_queued')")[0]?.['n'];
        if (Number(waiting) >= most)
          throw new JobError('service_busy', `${most} jobs are waiting; that is the limit`, { retryable: true });
        write(job);
        db.run(
          'INSERT INTO job_keys (tenant, key, job_id, request_sha256) VALUES (?, ?, ?, ?)',
          job.tenant,
          key,
          job.job_id,
          job.request_sha256,
        );
      });
    },
    change: (id, change) =>
      step(() => {
        const job = get(id);
        if (job === null) throw new JobError('job_not_found', 'there is no such job');
        change(job);
        write(job);
        return job;
      }),
    putReceipt: (job, envelope) =>
      step(() => db.run('INSERT OR REPLACE INTO job_receipts (job_id, envelope) VALUES (?, ?)', job, envelope)),
    receipt: (job) => textOf('SELECT envelope AS text FROM job_receipts WHERE job_id = ?', job),
    byCommit: (commit) =>
      db.all('SELECT * FROM jobs WHERE made = ? ORDER BY submitted_at', commit).flatMap((row) => jobOf(row) ?? []),
    putEvidence: (job, name, text) =>
      step(() => db.run('INSERT OR REPLACE INTO job_evidence (job_id, name, text) VALUES (?, ?, ?)', job, name, text)),
    evidence: (job, name) => textOf('SELECT text FROM job_evidence WHERE job_id = ? AND name = ?', job, name),
    isAlive: (id) => id === worker || (/^w_[0-9a-f-]{36}$/.test(id) && isHeld(connect, lockOf(id))),
    close() {
      db.close();
      lock.release();
      rmSync(lockOf(worker), { force: true });
    },
  };
}
