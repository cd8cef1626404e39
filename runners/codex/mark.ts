/**
 * What a thread was started with, kept in its `threadSource`: instructions and dynamic tools belong to a thread for good
 * and are ignored by `thread/resume`, so a later turn must be able to tell whether they are still the right ones.
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';

/** 64 bits of FNV-1a in base 36: distinguishes texts, hides nothing. */
function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code ^ (low >>> 13), 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}

const SHAPE = /^turnout-([0-9a-z]+)-([0-9a-z]+)$/;

export interface Mark {
  system: string;
  tools: string;
}

export function markOf(system: string | null, tools: readonly JsonObject[]): Mark {
  return { system: digest(system ?? ''), tools: digest(JSON.stringify(tools)) };
}

export function writeMark(mark: Mark): string {
  return `turnout-${mark.system}-${mark.tools}`;
}

/** @returns null for a thread that was not started by us */
export function readMark(source: string | undefined): Mark | null {
  const found = SHAPE.exec(source ?? '');
  return found?.[1] && found[2] ? { system: found[1], tools: found[2] } : null;
}
