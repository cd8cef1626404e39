/** Bad values, and some of them. */

import type { UsageRule } from '../../src/contract/error.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { OptionName } from '../../src/request/table.js';

/** A bad value as each entrance is given it; what is left out can't be said there. */
export interface Bad {
  option: OptionName;
  rule: UsageRule;
  /** The text of the flag, or of the file it names. */
  flag?: string;
  value?: unknown;
  /** Where JSON differs from the library's value. */
  json?: Json;
  /** What follows the name, as each spelling has it. */
  inside?: string;
  /** Options beside it. */
  beside?: { flags?: string[]; options?: JsonObject; json?: JsonObject };
}

export const bad = (option: OptionName, rule: UsageRule, more: Omit<Bad, 'option' | 'rule'>): Bad => ({
  option,
  rule,
  ...more,
});

/** Addresses and refs that git would take for options, programs, or another ref. */
export const REMOTE_CASES: readonly Bad[] = [
  ...['--upload-pack=x', 'ext::sh -c x', 'http://a/b', 'relative/path', 'https://a:b@c/d', ''].map((git) =>
    bad('workspace', 'form', { value: { git }, inside: '.git' }),
  ),
  ...['--all', 'a..b', 'a b', 'a:b', '+main', ''].map((ref) =>
    bad('workspace', 'form', { value: { git: 'https://a/b', ref }, inside: '.ref' }),
  ),
  bad('workspace', 'form', { flag: 'ext::sh -c x' }),
  bad('workspace', 'form', { flag: 'https://a/b#--all' }),
  bad('workspace', 'type', { value: 'https://a/b' }),
  bad('workspace', 'unknown', { value: { git: 'https://a/b', branch: 'main' }, inside: '.branch' }),
];
