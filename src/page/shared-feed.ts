/**
 * One feed for all tabs. A browser opens six connections to a server at most: with a feed for each tab, the third one would
 * wait for the others. The tab that holds a Web Lock reads, and passes what it hears on.
 */

import { keepReading, type Link, SILENCE_MS } from './connection.js';
import type { Card } from './model.js';

export interface FeedLine {
  runs?: Card[];
  position?: number;
  run?: Card;
}

/** What the feed is read into. */
export interface Board {
  /** Every run as it is known now; null before the first list. */
  runs(): Card[] | null;
  take(line: FeedLine): void;
  link(now: Link): void;
}

type Message =
  | { type: 'join' }
  | { type: 'whole'; runs: Card[]; position: number | null; link: Link }
  | { type: 'line'; line: FeedLine }
  | { type: 'alive' }
  | { type: 'link'; link: Link };

const NAME = 'turnout-feed';

/**
 * Reads the feed, or listens to the tab that does, until the signal.
 * @throws {ApiError} the server refuses this visit
 */
export async function followTogether(board: Board, left: AbortSignal): Promise<void> {
  let position: number | null = null;
  let link: Link = 'connecting';
  let leads = false;
  let heardAt = performance.now();
  const channel = new BroadcastChannel(NAME);
  const post = (message: Message) => channel.postMessage(message);
  const take = (line: FeedLine) => {
    if (line.position !== undefined) position = line.position;
    board.take(line);
  };
  const linked = (now: Link) => {
    link = now;
    board.link(now);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    heardAt = performance.now();
    if (data.type === 'join') {
      const runs = leads && board.runs();
      if (runs) post({ type: 'whole', runs, position, link });
      return;
    }
    if (leads || data.type === 'alive') return;
    if (data.type === 'line') return take(data.line);
    if (data.type === 'whole') {
      take({ runs: data.runs });
      position = data.position;
    }
    linked(data.link);
  };

  const read = async (stop: AbortSignal) => {
    leads = true;
    const known = board.runs();
    if (known) post({ type: 'whole', runs: known, position, link });
    try {
      await keepReading(
        () => (position === null ? '/watch' : `/watch?after=${position}`),
        (line) => {
          take(line as FeedLine);
          post({ type: 'line', line: line as FeedLine });
        },
        stop,
        (now) => {
          if (now === link) return post({ type: 'alive' });
          linked(now);
          post({ type: 'link', link: now });
        },
      );
    } finally {
      leads = false;
    }
  };

  try {
    // Without a secure context there are no locks: each tab reads for itself.
    if (!('locks' in navigator)) return await read(left);
    post({ type: 'join' });
    while (!left.aborted) await turnAsReader(read, () => performance.now() - heardAt > SILENCE_MS, left);
  } finally {
    channel.close();
  }
}

/** Waits for the lock and reads for as long as it is ours. A reader that fell silent, as in a frozen tab, loses it to us. */
async function turnAsReader(
  read: (stop: AbortSignal) => Promise<void>,
  silent: () => boolean,
  left: AbortSignal,
): Promise<void> {
  const waiting = new AbortController();
  const reading = new AbortController();
  const leave = () => {
    waiting.abort();
    reading.abort();
  };
  left.addEventListener('abort', leave, { once: true });
  const look = () => {
    if (document.visibilityState === 'visible' && silent()) waiting.abort();
  };
  const timer = setInterval(look, SILENCE_MS / 5);
  document.addEventListener('visibilitychange', look);
  const calm = () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
  const hold = () => {
    calm();
    return read(reading.signal);
  };
  try {
    await navigator.locks.request(NAME, { signal: waiting.signal }, hold).catch((error: unknown) => {
      if (left.aborted || !waiting.signal.aborted) throw error;
      return navigator.locks.request(NAME, { steal: true }, hold);
    });
  } catch (error) {
    // Another tab took the lock over.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  } finally {
    calm();
    reading.abort();
    left.removeEventListener('abort', leave);
  }
}
