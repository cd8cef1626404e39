/** Addresses of the page: what stands behind `#`. */

import { computed, signal } from '@preact/signals';

export type Route =
  | { view: 'home' }
  | { view: 'new' }
  | { view: 'session'; id: string }
  | { view: 'run'; id: string }
  | { view: 'usage' }
  | { view: 'runtimes' }
  | { view: 'settings' };

export function readRoute(hash: string): Route {
  const [view = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  switch (view) {
    case 's':
      return id === '' ? { view: 'home' } : { view: 'session', id: decodeURIComponent(id) };
    case 'r':
      return id === '' ? { view: 'home' } : { view: 'run', id: decodeURIComponent(id) };
    case 'new':
    case 'usage':
    case 'runtimes':
    case 'settings':
      return { view };
    default:
      return { view: 'home' };
  }
}

const hash = signal(typeof location === 'undefined' ? '' : location.hash);
if (typeof addEventListener !== 'undefined')
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });

export const route = computed(() => readRoute(hash.value));

export function go(to: string): void {
  location.hash = to;
}
