/** A turn that begins once a check is over. */

import type { Port } from './turn.js';

/**
 * @param check rejects with what the reader of the turn is thrown
 * @param begin starts the turn
 * @param failed hears why it could not begin
 * @returns a port that keeps what is sent before
 */
export function latePort(check: Promise<void>, begin: () => Port, failed: (error: unknown) => void): Port {
  let port: Port | null = null;
  const early: ((port: Port) => void)[] = [];
  const pass = (act: (port: Port) => void) => {
    if (port) act(port);
    else early.push(act);
  };
  check
    .then(() => {
      const begun = begin();
      port = begun;
      for (const act of early) act(begun);
    })
    .catch(failed);
  return {
    send: (frame) => pass((to) => to.send(frame)),
    cancel: () => pass((to) => to.cancel()),
    pause: () => pass((to) => to.pause()),
    resume: () => pass((to) => to.resume()),
  };
}
