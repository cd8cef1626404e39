/** Which workers can run a turn, as the name of a queue; and which queues a worker serves. */

import type { Member } from './engine.js';

/** Any worker: the runtime is chosen there, or is one that no worker has, which any of them can say. */
const ANY = 'any';

const LABEL = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const isLabel = (text: string): boolean => LABEL.test(text);

/** Under this name a request says which labels its worker must have, separated by commas. */
export const LABELS_KEY = 'labels';

/** Of the one worker that has the files of a session. */
export const homeQueue = (worker: string): string => `w.${worker}`;
/** The worker of such a queue; null for others. */
export const homeIn = (queue: string): string | null => (queue.startsWith('w.') ? queue.slice(2) : null);

export const works = ({ role }: Member): boolean => role !== 'front';

/** @param runtime null when it is not one that can be looked for */
export function queueFor(runtime: string | null, labels: readonly string[], members: readonly Member[]): string {
  const workers = members.filter(works);
  const known = runtime !== null && workers.some(({ runtimes }) => runtimes[runtime] !== undefined);
  const wanted = [...new Set(labels)].sort();
  if (!known && wanted.length === 0) return ANY;
  return ['rt', known ? runtime : '', ...wanted].join('.');
}

/** Whether a worker may take what waits in a queue. */
export function serves(queue: string, member: Pick<Member, 'id' | 'runtimes' | 'labels'>): boolean {
  if (queue === ANY || queue === homeQueue(member.id)) return true;
  const [kind, runtime = '', ...labels] = queue.split('.');
  if (kind !== 'rt') return false;
  return (
    (runtime === '' || member.runtimes[runtime] !== undefined) && labels.every((one) => member.labels.includes(one))
  );
}
