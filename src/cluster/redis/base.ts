/** One way to ask Redis: scripts by their digest, failures as the store's, hints from one subscriber. */

import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { CoreError } from '../../runs/failure.js';
import type { Topic } from '../engine.js';
import type { Connections } from './connect.js';
import { SCRIPTS, type Script } from './scripts.js';

export interface RedisBase {
  data: Redis;
  /** A key below the prefix. */
  key(...parts: string[]): string;
  /** Runs a script. @throws {CoreError} store */
  ask(script: Script, ...args: (string | number)[]): Promise<string[]>;
  /** Does something else. @throws {CoreError} store */
  tried<T>(work: () => Promise<T>): Promise<T>;
  listen(topic: Topic, hear: () => void): Promise<() => void>;
  close(): Promise<void>;
}

const digests = new Map<Script, string>();

function digestOf(script: Script): string {
  const known = digests.get(script);
  if (known !== undefined) return known;
  const made = createHash('sha1').update(SCRIPTS[script]).digest('hex');
  digests.set(script, made);
  return made;
}

const texts = (said: unknown): string[] => (Array.isArray(said) ? said.map((one) => String(one ?? '')) : []);

export function redisBase({ data, hints, queue }: Connections, prefix: string): RedisBase {
  const ears = new Map<string, Set<() => void>>();
  hints.on('message', (channel: string) => {
    for (const hear of ears.get(channel) ?? []) hear();
  });
  async function tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CoreError) throw error;
      throw new CoreError(
        'store',
        `the store of the cluster: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return {
    data,
    key: (...parts) => [prefix, ...parts].join(':'),
    tried,
    ask: (script, ...args) =>
      tried(async () => {
        try {
          return texts(await data.evalsha(digestOf(script), 1, prefix, ...args));
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
          return texts(await data.eval(SCRIPTS[script], 1, prefix, ...args));
        }
      }),
    async listen(topic, hear) {
      const channel = `${prefix}:${topic}`;
      const some = ears.get(channel) ?? new Set();
      ears.set(channel, some);
      some.add(hear);
      if (some.size === 1) await tried(async () => void (await hints.subscribe(channel)));
      return () => {
        some.delete(hear);
        if (some.size > 0 || ears.get(channel) !== some) return;
        ears.delete(channel);
        // Whoever closes meanwhile hears nothing anyway.
        hints.unsubscribe(channel).catch(() => {});
      };
    },
    async close() {
      for (const one of [data, hints, queue]) one.disconnect();
    },
  };
}
