/** What a request of the page shows: the visit's cookie, its nonce, and that a page of ours sent it. */

import type { OtherEvidence, RequestHead } from '../listen/surface.js';
import type { Visits } from './visits.js';

/** Holds the nonce. A page of another site can't send it without asking, and is never allowed to. */
const NONCE_HEADER = 'x-turnout-page';

/** The port as the browser sees it, which a forwarded one differs from; so two servers on one machine don't mix. */
export function cookieName({ headers }: Pick<RequestHead, 'headers'>): string {
  return `turnout_page_${/:(\d{1,5})$/.exec(headers.host ?? '')?.[1] ?? '80'}`;
}

/** @returns the visit's id, or null */
export function visitOf(head: Pick<RequestHead, 'headers'>): string | null {
  const name = cookieName(head);
  for (const part of (head.headers.cookie ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}

/** Browsers say which site a request comes from; those that don't still can't send the nonce from elsewhere. */
function ours({ headers }: RequestHead): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin';
}

export function pageEvidence(visits: Visits): OtherEvidence {
  return (head) => {
    const nonce = head.headers[NONCE_HEADER];
    const id = visitOf(head);
    return typeof nonce === 'string' && id !== null && ours(head) ? visits.of(id, nonce) : null;
  };
}
