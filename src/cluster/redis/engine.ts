/** Redis or Valkey as the store of a cluster: hashes for records, a stream for each log, scripts for what must be one step. */

import { randomUUID } from 'node:crypto';
import { entryLine } from '../../runs/entry-line.js';
import { CoreError } from '../../runs/failure.js';
import { KEYS_MS } from '../../runs/retention.js';
import type { Attending, Due, Engine } from '../engine.js';
import { shownUrl } from '../shown-url.js';
import { decode, FORMAT } from '../stored.js';
import { redisBase } from './base.js';
import { type Connections, memoryOf } from './connect.js';
import { redisMail } from './mail.js';
import { redisMembers } from './members.js';
import { redisReads } from './reads.js';

/** Above this share of its memory Redis is given no new runs: those that are under way still need room. */
const FULL = 0.75;

const attendingOf = ([waiting, hearing, detached]: readonly string[]): Attending => ({
  waiting: Number(waiting),
  hearing: Number(hearing),
  detached: detached === '1',
});

const dueOf = ([run, queue, ticket]: readonly string[]): Due | null =>
  run === undefined || run === '' ? null : { run, queue: queue ?? '', ticket: Number(ticket) };

/** @returns what tells the data from that of every other @throws {CoreError} store: members of another version keep what we can't read */
export async function checkFormat({ data }: Connections, prefix: string): Promise<string> {
  await data.set(`${prefix}:format`, FORMAT, 'NX');
  const found = await data.get(`${prefix}:format`);
  await data.set(`${prefix}:id`, randomUUID(), 'NX');
  if (found === FORMAT) return (await data.get(`${prefix}:id`)) ?? '';
  throw new CoreError(
    'store',
    `the cluster keeps its runs in format ${found}, this version in ${FORMAT}: update all members`,
  );
}

/** @param prefix begins all keys; its hash tag keeps them in one slot */
export function redisEngine(url: string, id: string, connections: Connections, prefix: string): Engine {
  const base = redisBase(connections, prefix);
  const { ask } = base;
  return {
    name: shownUrl(url),
    id,
    degraded: () => (base.data.status === 'ready' ? null : `${shownUrl(url)} does not answer`),
    async short() {
      const { used, most } = await base.tried(() => memoryOf(base.data));
      if (most === null || used < most * FULL) return null;
      return `${shownUrl(url)} uses ${Math.round((100 * used) / most)} % of its memory`;
    },
    attendees: (run) =>
      base.tried(async () => (await base.data.hkeys(base.key('att', run))).filter((id) => id !== '.detached')),
    ...redisReads(base),
    ...redisMail(base),
    ...redisMembers(base),

    async accept({ record, turn, queue, session, key, whenBusy, most, attendee }) {
      const said = await ask(
        'accept',
        record.run_id,
        record.session_id,
        JSON.stringify(record),
        JSON.stringify(turn),
        session === null ? '' : JSON.stringify(session),
        key?.key ?? '',
        key?.fingerprint ?? '',
        whenBusy === 'refuse' ? '1' : '0',
        most.all,
        `${record.surface}\n${record.principal}`,
        most.caller,
        attendee ?? '',
        queue,
      );
      const [kind, first = '', ...rest] = said;
      switch (kind) {
        case 'accepted':
          return { kind, due: dueOf([first, ...rest]) };
        case 'known':
          return { kind, run: first };
        case 'conflict':
        case 'session-busy':
        case 'busy':
        case 'not-found':
          return { kind: 'refused', reason: kind, waiting: Number(first) };
        default:
          throw new CoreError('store', `the store of the cluster gave an unknown answer: ${String(kind)}`);
      }
    },
    async attend(run, how) {
      const said = await ask('attend', run, how.op, 'id' in how ? how.id : '');
      return { ...attendingOf(said), over: said[3] === '1', keyed: said[4] === '1' };
    },
    async claim(run, worker) {
      const home = worker.startsWith('front:') ? '' : worker.slice(0, worker.lastIndexOf('#'));
      const [kind, epoch, record = '', seq, turn = '', ...rest] = await ask('claim', run, worker, home);
      if (kind === 'over' || kind === 'unknown') return { kind };
      const known = { epoch: Number(epoch), record: { ...decode('run', record), last_seq: Number(seq) } };
      if (kind === 'lost') return { kind, ...known };
      const [waiting, hearing, detached, ...box] = rest;
      const kept = [];
      for (let i = 0; i + 1 < box.length; i += 2) {
        const command = decode('letter', box[i + 1] ?? '');
        if (command.type !== 'deaf') kept.push({ mail: box[i] ?? '', command });
      }
      const attending = attendingOf([waiting ?? '0', hearing ?? '0', detached ?? '0']);
      return { kind: 'begin', ...known, turn: decode('turn', turn), attending, kept };
    },
    async append({ run, epoch, entries, record, learned }) {
      const [kind, first = '', ...rest] = await ask(
        'append',
        run,
        epoch,
        entries[0]?.seq ?? 1,
        record.status,
        JSON.stringify(record),
        record.ended_by ?? '',
        learned.native ?? '',
        learned.runtime ?? '',
        record.ended_at ?? record.updated_at,
        KEYS_MS,
        ...entries.map(({ event }) => entryLine(event)),
      );
      if (kind === 'ok') return { kind, due: dueOf([first, ...rest]) };
      return kind === 'behind' ? { kind, last: Number(first) } : { kind: 'fenced' };
    },
    async close() {
      await base.close();
    },
  };
}
