/** Reads where a turn's files come from: a git repository that this machine may not have yet. */

import { isObject } from '../text/json.js';
import type { Kind } from './kinds.js';
import { type Place, quoted } from './place.js';

/** A repository by its address, and what of it: a branch, a tag or a commit. */
export interface RemoteWorkspace {
  git: string;
  /** Its default branch when absent. */
  ref?: string;
}

/** Addresses that name a host or a folder, never a program (`ext::…`) or an option. */
const ADDRESS = /^(?:https:\/\/|ssh:\/\/|file:\/\/\/|\/|[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:)[^\s\p{Cc}]+$/u;
const PASSWORD = /^[a-z]+:\/\/[^/@]*:[^/@]*@/i;
/** As `git check-ref-format` has it, and never an option or a refspec of its own. */
const REF = /^(?![-+/.])(?!.*(?:\.\.|@\{|\/\/|\.lock$|[/.]$))[^\s~^:?*[\\\p{Cc}]{1,255}$/u;

function remoteOf(git: unknown, ref: unknown, at: { git: Place; ref: Place }): RemoteWorkspace {
  if (typeof git !== 'string' || !ADDRESS.test(git))
    throw at.git.fault('form', 'expected https://…, ssh://…, user@host:path, or the absolute path of a repository');
  // It would stand in the log.
  if (PASSWORD.test(git))
    throw at.git.fault('form', 'an address holds no password; git has credential helpers for that');
  if (ref === undefined || ref === null) return { git };
  if (typeof ref !== 'string' || !REF.test(ref))
    throw at.ref.fault('form', `expected a branch, a tag or a commit, not ${quoted(ref)}`);
  return { git, ref };
}

/** `URL` or `URL#REF` as a flag; `{"git":URL,"ref":REF}` elsewhere. */
export const remote: Kind<RemoteWorkspace> = {
  text(text, at) {
    const mark = text.indexOf('#');
    // One flag holds both: its name is all that can be said.
    const both = { git: at, ref: at };
    return mark < 0 ? remoteOf(text, undefined, both) : remoteOf(text.slice(0, mark), text.slice(mark + 1), both);
  },
  value(given, at) {
    if (!isObject(given)) throw at.fault('type', `expected {"git":URL,"ref":REF}, not ${quoted(given)}`);
    const other = Object.keys(given).find((key) => key !== 'git' && key !== 'ref');
    if (other !== undefined) throw at.in(other).fault('unknown', 'expected git, ref');
    return remoteOf(given['git'], given['ref'], { git: at.in('git'), ref: at.in('ref') });
  },
  print: ({ git, ref }) => (ref === undefined ? git : `${git}#${ref}`),
  schema: {
    type: 'object',
    properties: { git: { type: 'string' }, ref: { type: 'string' } },
    required: ['git'],
    additionalProperties: false,
  },
};
