/** Times as they pass. */

import { signal } from '@preact/signals';
import { age } from '../format.js';

/** Milliseconds, a few times a minute. */
const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 5_000);

/** How long something is waited for. */
export function Left({ until }: { until: number }) {
  return <>{until <= now.value ? 'its time is over' : `${age(until - now.value)} left`}</>;
}

export function When({ at, ago = false }: { at: number; ago?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {age(now.value - at)}
      {ago ? ' ago' : ''}
    </time>
  );
}
