/** The transports of `turnout agent serve`: opened as the flags say, with whoever may call them. */

import { join, resolve } from 'node:path';
import { stateDir } from '../process/state-dir.js';
import { type Address, PORT, readAddress, shownAddress } from './listen/address.js';
import type { Guard } from './listen/guard.js';
import type { Answered } from './listen/http.js';
import type { OpenLines } from './listen/lines.js';
import type { Surface } from './listen/surface.js';
import type { Observers } from './observe/observers.js';
import { ServeError } from './serve-error.js';
import type { ServeOptions } from './server.js';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws ServeError */
export function addressOf(options: ServeOptions): Address {
  if (options.listen === undefined) return { host: '127.0.0.1', port: options.port ?? PORT };
  const found = readAddress(options.listen);
  if (!found) throw new ServeError(`--listen: expected HOST:PORT, not ${JSON.stringify(options.listen)}`);
  return found;
}

export interface Listening {
  close(): Promise<void>;
  release?(): void;
  cut(): void;
}

/** @throws ServeError */
export async function listenUnix(options: ServeOptions, session: OpenLines): Promise<Listening> {
  const path = options.listen ?? options.socket;
  if (path === undefined) throw new ServeError('--transport unix needs --socket PATH');
  const { openSocket } = await import('./listen/unix.js');
  try {
    const open = await openSocket({ session, path: resolve(path) });
    options.log.info(`listening on unix:${open.path}`);
    return open;
  } catch (error) {
    throw new ServeError(message(error));
  }
}

async function guardOf(options: ServeOptions, host: string): Promise<Guard> {
  const { AuthError, httpAuth, KEYS_VARIABLE } = await import('./listen/http-auth.js');
  const wildcard = host === '0.0.0.0' || host === '::';
  try {
    return {
      identify: httpAuth({
        host,
        open: options.noAuth,
        token: options.token ?? options.env['TURNOUT_TOKEN'],
        tokenFile: options.tokenFile,
        keysFile: options.keysFile,
        keys: options.noAuth ? undefined : options.env[KEYS_VARIABLE],
        ownTokenFile: join(stateDir(options.env), 'server-token'),
        tell: (text) => options.log.info(text),
      }),
      hosts: [...options.allowHosts, ...(wildcard ? [] : [host])].map((one) => one.toLowerCase()),
      anyAddress: wildcard,
      origins: options.allowOrigins,
    };
  } catch (error) {
    throw error instanceof AuthError ? new ServeError(error.message) : error;
  }
}

/** @throws ServeError */
export async function listenHttp(
  options: ServeOptions,
  surfaces: readonly Surface[],
  { metrics }: Observers,
): Promise<Listening> {
  const { openHttp } = await import('./listen/http.js');
  const { host, port } = addressOf(options);
  const guard = await guardOf(options, host);
  const answered = ({ surface, status, ms, ...request }: Answered) => {
    metrics?.answered(surface, status, ms);
    options.log.debug('answered', { surface, ...request, status, ms });
  };
  try {
    const open = await openHttp({ host, port, guard, surfaces, answered });
    options.log.info(`listening on http://${shownAddress(open)}/v1/agent`);
    options.listening?.({ host: open.host, port: open.port });
    return open;
  } catch (error) {
    throw new ServeError(`can't listen on ${shownAddress({ host, port })}: ${message(error)}`);
  }
}
