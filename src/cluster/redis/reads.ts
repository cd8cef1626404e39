/** What is read of runs and sessions, and what is kept beside them. */

import { isOver } from '../../runs/records.js';
import { parseObject, str } from '../../text/json.js';
import type { Reads } from '../engine.js';
import { gathered } from '../gathered.js';
import { decode } from '../stored.js';
import type { RedisBase } from './base.js';
import { asRun, asSession } from './records.js';

/** Entries that are asked for at once. */
const CHUNK = 64;

/** `[member, score, member, score, …]` */
function scored(flat: readonly string[]): { id: string; place: number }[] {
  const all = [];
  for (let i = 0; i + 1 < flat.length; i += 2) all.push({ id: flat[i] ?? '', place: Number(flat[i + 1]) });
  return all;
}

export function redisReads({ data, key, ask, tried }: RedisBase): Reads {
  const run: Reads['run'] = (id) =>
    tried(async () => {
      const [record, seq] = await data.hmget(key('run', id), 'record', 'seq');
      return record == null ? null : asRun(record, seq ?? null);
    });
  const session: Reads['session'] = (id) =>
    tried(async () => asSession(await data.hmget(key('ses', id), 'record', 'native', 'runtime', 'updated')));
  async function runs(ids: readonly { id: string; place: number }[]) {
    const found = await Promise.all(ids.map(async ({ id, place }) => ({ place, run: await run(id) })));
    return found.flatMap(({ place, run: one }) => (one === null ? [] : [{ place, run: one }]));
  }
  const newest = (name: string, before: number | null, limit: number) =>
    tried(async () =>
      scored(
        await data.zrange(
          key(name),
          before === null ? '+inf' : `(${before}`,
          '-inf',
          'BYSCORE',
          'REV',
          'LIMIT',
          0,
          limit,
          'WITHSCORES',
        ),
      ),
    );
  return {
    run,
    session,
    async logState(id) {
      return tried(async () => {
        const [record, seq, archived] = await data.hmget(key('run', id), 'record', 'seq', 'archived');
        if (record == null) return null;
        return { last: Number(seq ?? 0), over: isOver(decode('run', record).status), archived: archived === '1' };
      });
    },
    events: (id, after, limits) =>
      tried(() =>
        gathered(after, limits, CHUNK, async (from, count) => {
          const some = await data.xrange(key('ev', id), `${from + 1}-0`, '+', 'COUNT', count);
          return some.map(([place, fields]) => ({
            seq: Number.parseInt(place, 10),
            event: decode('event', fields[1] ?? ''),
          }));
        }),
      ),
    async unsealed(before, limit) {
      const ids = await tried(() => data.zrange(key('ended'), '-inf', `(${before}`, 'BYSCORE', 'LIMIT', 0, limit));
      return (await runs(ids.map((one) => ({ id: one, place: 0 })))).map(({ run: one }) => one);
    },
    async seal(id) {
      await ask('seal', id);
    },
    async runsBefore(place, limit) {
      return runs(await newest('runs', place, limit));
    },
    async runsOf(id) {
      const ids = await tried(() => data.lrange(key('of', id), 0, -1));
      return (await runs(ids.map((one) => ({ id: one, place: 0 })))).map(({ run: one }) => one);
    },
    async changes(after, limit) {
      const from = await tried(() =>
        data.zrange(key('feed'), `(${after}`, '+inf', 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES'),
      );
      return (await runs(scored(from))).map(({ place, run: one }) => ({ position: place, run: one }));
    },
    lastChange: () => tried(async () => Number((await data.get(key('position'))) ?? 0)),
    key: (name) =>
      tried(async () => {
        const [id, fingerprint] = await data.hmget(key('key', name), 'run', 'fingerprint');
        return id == null || fingerprint == null ? null : { run_id: id, fingerprint };
      }),
    putSession: (record) =>
      tried(async () => {
        const at = key('ses', record.session_id);
        const place = await data.incr(key('n'));
        await data
          .multi()
          .hset(at, 'record', JSON.stringify(record))
          .hdel(at, 'native', 'runtime', 'updated')
          .zadd(key('sessions'), place, record.session_id)
          .exec();
      }),
    homeOf: (id) => tried(async () => (await data.hget(key('ses', id), 'home')) ?? null),
    async sessionsBefore(place, limit) {
      const found = await Promise.all(
        (await newest('sessions', place, limit)).map(async (one) => ({
          place: one.place,
          session: await session(one.id),
        })),
      );
      return found.flatMap(({ place: at, session: one }) => (one === null ? [] : [{ place: at, session: one }]));
    },
    async dropSession(id, idle = false) {
      return (await ask('drop', id, idle ? '1' : '0'))[0] === 'ok';
    },
    note: (id, name, note) =>
      tried(async () => void (await data.rpush(key('notes', id), JSON.stringify({ name, note })))),
    notes: (id, name) =>
      tried(async () =>
        (await data.lrange(key('notes', id), 0, -1)).flatMap((text) => {
          const kept = parseObject(text);
          const note = kept?.['note'];
          if (str(kept, 'name') !== name || typeof note !== 'object' || note === null || Array.isArray(note)) return [];
          return [note];
        }),
      ),
  };
}
