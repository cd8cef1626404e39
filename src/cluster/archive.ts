/**
 * Logs of runs that ended some time ago, as files that all members can read: gzip of one JSON object a line. The first line
 * is the record, the last one counts the entries and has their digest; a file without it was not finished and is not used.
 * (zstd packs tighter, but Node 20 has none.)
 */

import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeFolder } from '../process/make-folder.js';
import { entryLine } from '../runs/entry-line.js';
import { CoreError } from '../runs/failure.js';
import type { LogEntry, RunRecord } from '../runs/records.js';
import { type ReadLimits, within } from '../runs/store/store.js';
import { num, obj, parseObject, str } from '../text/json.js';
import type { Engine } from './engine.js';
import { decode } from './stored.js';

export interface Archive {
  /** Writes a run that is over, and reads it again. @throws {CoreError} store: it is not there as it should be */
  seal(run: RunRecord): Promise<void>;
  /** @throws {CoreError} store: the file is missing or damaged */
  events(run: string, after: number, limits: ReadLimits): Promise<LogEntry[]>;
  remove(runs: readonly string[]): Promise<void>;
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);
const BATCH = { entries: 1000, size: 4 * 1024 * 1024 };

const digest = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex');

/** @param folder shared by all members that archive or answer callers */
export function openArchive(engine: Engine, folder: string): Archive {
  /** Pages of one log are asked for one after another. */
  let last: { run: string; entries: LogEntry[] } | null = null;
  // Ids end in random digits: a thousand folders at most.
  const path = (run: string): string => join(folder, run.slice(-2), `${run}.ndjson.gz`);

  async function read(run: string): Promise<LogEntry[]> {
    if (last?.run === run) return last.entries;
    const bad = (why: string) => new CoreError('store', `the archive of run ${run} ${why}`);
    let text: string;
    try {
      text = (await unpack(await readFile(path(run)))).toString('utf8');
    } catch (error) {
      throw bad(`can't be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const lines = text.trimEnd().split('\n').slice(1);
    const seal = obj(parseObject(lines.pop() ?? ''), 'sealed');
    if (num(seal, 'entries') !== lines.length || str(seal, 'sha256') !== digest(lines)) throw bad('is damaged');
    const entries = lines.map((line, index) => ({ seq: index + 1, event: decode('event', line) }));
    last = { run, entries };
    return entries;
  }
  async function write(run: RunRecord): Promise<void> {
    const lines: string[] = [];
    for (;;) {
      const some = await engine.events(run.run_id, lines.length, BATCH);
      if (some.length === 0) break;
      if (some[0]?.seq !== lines.length + 1) throw new CoreError('store', `run ${run.run_id} has a hole in its log`);
      lines.push(...some.map(({ event }) => entryLine(event)));
    }
    if (lines.length !== run.last_seq) throw new CoreError('store', `run ${run.run_id} has not all of its entries`);
    const seal = JSON.stringify({ sealed: { entries: lines.length, sha256: digest(lines) } });
    const text = [JSON.stringify({ v: 1, run }), ...lines, seal, ''].join('\n');
    const file = path(run.run_id);
    makeFolder(dirname(file), 0o700);
    const scratch = `${file}.${randomUUID()}`;
    const handle = await open(scratch, 'wx', 0o600);
    try {
      await handle.writeFile(await pack(text));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(scratch, file);
  }
  return {
    async seal(run) {
      await write(run);
      last = null;
      if ((await read(run.run_id)).length === run.last_seq) return engine.seal(run.run_id);
      throw new CoreError('store', `the archive of run ${run.run_id} is not whole`);
    },
    async events(run, after, limits) {
      return within((await read(run)).slice(after, after + limits.entries), limits);
    },
    async remove(runs) {
      for (const run of runs) await rm(path(run), { force: true });
      last = null;
    },
  };
}

/** Runs of one round. */
const SOME = 100;

/** Archives what ended before a time. @returns how many runs */
export async function archiveOld(engine: Engine, archive: Archive, before: number): Promise<number> {
  let count = 0;
  for (;;) {
    const some = await engine.unsealed(before, SOME);
    for (const run of some) await archive.seal(run);
    count += some.length;
    if (some.length < SOME) return count;
  }
}
