/** `turnout agent replay`: recorded turns once more through today's translators, and what has changed. */

import type { Event } from '../contract/event.js';
import { type Recording, readRecordings } from '../record/recording.js';
import { RefusedToday, type Replayed, replay } from '../record/replay.js';
import { driftReport } from '../record/report.js';
import { runners as builtin, byId, customAgent } from '../registry/registry.js';
import { RunnerFault } from '../runner/fault.js';
import type { Runner } from '../runner/runner.js';
import { redact } from '../text/redact.js';
import type { Notice } from '../turn/admission.js';
import { turnTools } from './prepare-tools.js';
import { VERSION } from './version.js';

export interface ReplayedTurn {
  /** The runtime and the beginning of the prompt. */
  title: string;
  recording: Recording;
  /** null when today's runner does not take the turn. */
  replayed: Replayed | null;
  /** What differs; null when nothing does. */
  report: string | null;
}

/** Runs one recorded turn again, with the caller tools it declared. @throws {RefusedToday} */
async function replayTurn(recording: Recording, runner: Runner): Promise<Replayed> {
  const notices: Notice[] = [];
  const prepared = await turnTools({
    runner,
    request: recording.request,
    machine: recording.machine,
    version: VERSION,
    transport: 'none',
    privateDir: () => Promise.reject(new Error('a replay opens no socket')),
    notice: (code, message) => notices.push({ code, message }),
  });
  if (prepared.refuse) throw new RefusedToday(prepared.refuse);
  return replay(recording, runner, { tools: prepared.tools, offered: prepared.offered, notices });
}

/** An agent that was named by its command line (`acp:…`) is no runner of the list: its command is told by the machine. */
function commandOf({ request, machine }: Recording): Runner | null {
  return request.runtime === 'acp' ? customAgent([machine.program.path, ...machine.program.args]) : null;
}

/**
 * @param text the whole file
 * @throws {UnreadableRecording} naming the line
 */
export async function replayFile(text: string, runners: readonly Runner[] = builtin): Promise<ReplayedTurn[]> {
  const turns: ReplayedTurn[] = [];
  for (const recording of readRecordings(text)) {
    const { runtime, prompt } = recording.request;
    const title = `${runtime}: ${JSON.stringify(prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt)}`;
    const runner = byId(runtime, runners) ?? commandOf(recording);
    try {
      if (!runner) throw new RefusedToday(`there is no runtime called ${runtime}`);
      const replayed = await replayTurn(recording, runner);
      turns.push({ title, recording, replayed, report: driftReport(recording, replayed, redact) });
    } catch (error) {
      if (!(error instanceof RefusedToday || error instanceof RunnerFault)) throw error;
      turns.push({ title, recording, replayed: null, report: error.message });
    }
  }
  return turns;
}

/** The file as it would be with today's events. What can't be run today stays as it is. */
export function updated(turns: readonly ReplayedTurn[]): string {
  return turns.flatMap(linesOf).join('');
}

function linesOf({ recording, replayed }: ReplayedTurn): string[] {
  const { request, limits, machine, entries } = recording;
  const turn = machine.ids.turn.slice(0, 8);
  const put = (line: object) => `${JSON.stringify({ turn, ...line })}\n`;
  const events = (at: number, t: number): string[] =>
    (replayed?.events ?? []).flatMap((event: Event, index) =>
      replayed?.causes[index] === at ? [redact(put({ t, k: 'event', event }))] : [],
    );
  return [
    put({ t: 0, k: 'request', request, limits }),
    put({ t: 0, k: 'machine', machine: { ...machine, envNames: [...machine.envNames].sort() } }),
    ...events(-1, 0),
    ...entries.flatMap((entry, index) => [
      ...(replayed !== null && entry.k === 'event' ? [] : [put(entry)]),
      ...events(index, entry.t),
    ]),
  ];
}
