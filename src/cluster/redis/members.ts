/** Who belongs to the cluster, and what is under way in it. */

import type { Engine, OpenRun } from '../engine.js';
import { decode } from '../stored.js';
import type { RedisBase } from './base.js';

/** Runs that are looked at in one go. */
const LOOK = 5000;

type Members = Pick<
  Engine,
  'load' | 'open' | 'beat' | 'members' | 'leave' | 'setDraining' | 'isDraining' | 'lead' | 'queues'
>;

export function redisMembers({ data, key, ask, tried }: RedisBase): Members {
  return {
    load: () =>
      tried(async () => {
        const [queued, claimed] = await Promise.all([data.zcard(key('queued')), data.zcard(key('claimed'))]);
        return { queued, claimed };
      }),
    async open() {
      const flat = await ask('open', LOOK);
      const all: OpenRun[] = [];
      for (let i = 0; i + 5 < flat.length; i += 6) {
        const [run = '', session = '', queue = '', ticket, worker = '', first] = flat.slice(i, i + 6);
        all.push({ run, session, queue, ticket: Number(ticket), worker: worker || null, first: first === '1' });
      }
      return all;
    },
    async beat(member, ttlMs) {
      const [said] = await ask('beat', member.id, member.instance, JSON.stringify(member), ttlMs);
      return said === 'ok';
    },
    members: () =>
      tried(async () => {
        const ids = (await data.smembers(key('members'))).sort();
        const all = await Promise.all(ids.map(async (id) => ({ id, is: await data.hget(key('member', id), 'is') })));
        const gone = all.flatMap(({ id, is }) => (is === null ? [id] : []));
        if (gone.length > 0) await data.srem(key('members'), ...gone);
        return all.flatMap(({ is }) => (is === null ? [] : [decode('member', is)]));
      }),
    async leave({ id, instance }) {
      await ask('leave', id, instance);
    },
    setDraining: (id, draining) =>
      tried(async () => {
        if (draining) await data.sadd(key('draining'), id);
        else await data.srem(key('draining'), id);
        await data.publish(key('asked'), id);
      }),
    isDraining: (id) => tried(async () => (await data.sismember(key('draining'), id)) === 1),
    async lead(instance, ttlMs) {
      const [said] = await ask('lead', instance, ttlMs);
      return said === 'yes';
    },
    queues: () => tried(() => data.smembers(key('queues'))),
  };
}
