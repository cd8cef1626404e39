/**
 * What differs when we are started under the name `monomind`: the one list. Everything else is as under our own name;
 * docs/monomind.md says it for people, docs/compatibility/agent-exec.json for programs.
 */

import type { Event } from '../contract/event.js';
import type { ScanEntry } from '../contract/scan.js';
import type { NativeSandbox } from '../contract/vocabulary.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';

/** Runtimes whose every native call is decided by us, and that can do without native tools. */
const canChatOnly = ({ access }: Runner): boolean =>
  access.none !== undefined && access.scoped?.native_sandbox === 'turnout';

/**
 * The original's scoped turn runs no native tool but commands that the caller or the user's settings allow, whatever
 * the sandbox; ours also reads. Hosts rely on it: they serve such a turn to others.
 */
export function originalRequest(request: TurnRequest, runner: Runner): TurnRequest {
  const { access, allowBashPrefix, settings, approvals } = request;
  const more = allowBashPrefix.length > 0 || settings.length > 0 || approvals !== 'deny';
  return access === 'scoped' && !more && canChatOnly(runner) ? { ...request, access: 'none' } : request;
}

/** Where our word is unknown to the original's hosts, the weaker one of theirs. */
const original = (said: NativeSandbox): NativeSandbox => (said === 'turnout' ? 'restricted' : said);

/** @param asked the request as the caller gave it */
export function originalEvent(event: Event, asked: Pick<TurnRequest, 'access'>): Event {
  if (event.type !== 'start') return event;
  if (event.access === 'none' && asked.access === 'scoped')
    return { ...event, access: 'scoped', access_gaps: [], native_sandbox: 'monomind', approvals: 'n/a' };
  return { ...event, native_sandbox: original(event.native_sandbox) };
}

/** The original lists each of its ids, where ours are other names of one runtime. */
export function originalEntries(entry: ScanEntry, runner: Runner | undefined): ScanEntry[] {
  const chatOnly = runner !== undefined && canChatOnly(runner);
  const report = <Report extends { native_sandbox: NativeSandbox }>(one: Report): Report => ({
    ...one,
    native_sandbox: chatOnly ? 'monomind' : original(one.native_sandbox),
  });
  const reports = Object.entries(entry.sandbox_mode_reports).map(([mode, one]) => [mode, report(one)] as const);
  const listed: ScanEntry = { ...report(entry), sandbox_mode_reports: Object.fromEntries(reports) };
  return [listed, ...(listed.aliases ?? []).map((id) => ({ ...listed, id }))];
}
