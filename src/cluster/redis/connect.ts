/** Connections to Redis or Valkey, and what must be true of the server. */

import { Redis, type RedisOptions } from 'ioredis';
import { CoreError } from '../../runs/failure.js';
import { shownUrl } from '../shown-url.js';

/** Milliseconds: how long a server may take to answer at the start, and the longest pause between two attempts. */
const CONNECT_MS = 5000;
const PAUSE_MS = 1000;

export interface Connections {
  /** For everything that is asked and answered; fails soon when the server is away. */
  data: Redis;
  /** Hears what is published. */
  hints: Redis;
  /** As the queue wants it: waits for as long as the server is away. */
  queue: Redis;
}

const failed = (what: string): CoreError => new CoreError('store', what);

/**
 * Opens and checks.
 * @param url `redis://` or `rediss://` (TLS), with user and password of an ACL user
 * @param complain hears what is allowed and not wise
 * @throws {CoreError} store: it can't be reached, or would lose runs
 */
export async function connect(url: string, complain: (text: string) => void): Promise<Connections> {
  const base: RedisOptions = {
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(50 * times, PAUSE_MS),
    lazyConnect: true,
    enableReadyCheck: true,
  };
  const name = shownUrl(url);
  const data = new Redis(url, { ...base, maxRetriesPerRequest: 1, retryStrategy: () => null });
  let why = '';
  data.on('error', (error: Error) => {
    why = error.message;
  });
  try {
    await data.connect();
    await check(data, url, complain);
  } catch (error) {
    data.disconnect();
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof CoreError) throw error;
    throw failed(`${name} can't be used: ${why === '' ? message : why}`);
  }
  data.options.retryStrategy = (times) => Math.min(50 * times, PAUSE_MS);
  const hints = new Redis(url, { ...base, maxRetriesPerRequest: null });
  const queue = new Redis(url, { ...base, maxRetriesPerRequest: null });
  // Said once by whoever asks; an error without a listener would end the process.
  for (const one of [hints, queue]) one.on('error', () => {});
  await Promise.all([hints.connect(), queue.connect()]);
  return { data, hints, queue };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** @throws {CoreError} store */
async function check(data: Redis, url: string, complain: (text: string) => void): Promise<void> {
  const info = await data.info();
  const field = (key: string) => new RegExp(`^${key}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const name = shownUrl(url);
  if (field('maxmemory_policy') !== '' && field('maxmemory_policy') !== 'noeviction')
    throw failed(
      `${name} forgets keys when memory is short (${field('maxmemory_policy')}): set maxmemory-policy noeviction`,
    );
  const major = Number.parseInt(field('redis_version'), 10);
  if (!(major >= 7)) throw failed(`${name} is version ${field('redis_version')}; 7 or newer is needed`);
  if (field('role') === 'slave') throw failed(`${name} is a replica: name its primary`);
  if (field('aof_enabled') === '0')
    complain(`${name} keeps no append-only file: runs are lost when it restarts (appendonly yes)`);
  const { protocol, hostname, username, password } = new URL(url);
  if (LOOPBACK.test(hostname)) return;
  if (protocol !== 'rediss:')
    complain(`${name} is reached without TLS: prompts and answers pass in the clear (rediss://)`);
  if (password === '') complain(`${name} asks for no password: everybody who reaches it reads all runs`);
  else if (username === '') complain(`${name}: an ACL user of its own can do less harm than the default user`);
}

/** Bytes in use, and how many there may be; null: no limit is set. */
export async function memoryOf(data: Redis): Promise<{ used: number; most: number | null }> {
  const info = await data.info('memory');
  const field = (key: string) => Number(new RegExp(`^${key}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const most = field('maxmemory');
  return { used: field('used_memory'), most: most === 0 ? null : most };
}
