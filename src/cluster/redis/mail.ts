/** Commands on their way to a worker, and how they fared. */

import { CoreError } from '../../runs/failure.js';
import { asReceipt } from '../../runs/store/rows.js';
import type { Delivered, Engine } from '../engine.js';
import { decode } from '../stored.js';
import type { RedisBase } from './base.js';

const DAY_S = 24 * 60 * 60;
/** Letters that are taken at once. */
const SOME = 200;

type Mail = Pick<Engine, 'post' | 'mail' | 'taken' | 'putReceipt' | 'receipt' | 'tell' | 'listen'>;

export function redisMail({ data, key, ask, tried, listen }: RedisBase): Mail {
  return {
    async post(run, mail, letter) {
      const steer = letter.type === 'steer' ? '1' : '0';
      const [kind, more = ''] = await ask('post', run, mail, JSON.stringify(letter), steer);
      switch (kind) {
        case 'posted':
        case 'queued':
        case 'over':
          return { kind };
        case 'kept':
          return { kind, nth: Number(more) };
        case 'receipt': {
          const receipt = asReceipt(more);
          if (receipt) return { kind, receipt };
          throw new CoreError('store', `the receipt of ${mail} can't be read`);
        }
        default:
          throw new CoreError('store', `the store of the cluster gave an unknown answer: ${String(kind)}`);
      }
    },
    mail: (worker, after) =>
      tried(async () => {
        const some = await data.xrange(key('mail', worker), after === null ? '-' : `(${after}`, '+', 'COUNT', SOME);
        return some.map(([place, fields]): Delivered => {
          const field = (name: string) => fields[fields.indexOf(name) + 1] ?? '';
          const letter = decode('letter', field('letter'));
          return { place, run: field('run'), epoch: Number(field('epoch')), mail: field('mail'), letter };
        });
      }),
    taken: (worker, places) =>
      tried(async () => {
        if (places.length > 0) await data.xdel(key('mail', worker), ...places);
      }),
    putReceipt: (run, mail, receipt) =>
      tried(async () => {
        await data.set(key('receipt', mail), JSON.stringify(receipt), 'EX', DAY_S);
        await data.publish(key('run', run), mail);
      }),
    receipt: (mail) =>
      tried(async () => {
        const text = await data.get(key('receipt', mail));
        return text === null ? null : asReceipt(text);
      }),
    tell: (topic) => tried(async () => void (await data.publish(key(topic), ''))),
    listen,
  };
}
