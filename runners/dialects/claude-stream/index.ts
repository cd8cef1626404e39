/**
 * The bidirectional stream-json of Claude Code and its relatives: NDJSON both ways, with control requests beside the
 * conversation. Further `user` frames steer; between two turns the next prompt is one. Format as in claude 2.1.197 and
 * 2.1.332.
 */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Conversation, Heard, Outcome, Phase } from '../../../src/runner/action.js';
import { arr, bool, num, parseObject, str } from '../../../src/text/json.js';
import { announcedAttempt } from '../attempts.js';
import { exitWords } from '../exit-words.js';
import { notice } from '../notice.js';
import { control } from './control.js';
import { readDelta } from './delta-line.js';
import { idle } from './idle.js';
import type { StreamProgram, StreamTurn } from './options.js';
import { type Marked, markedError, outcomeOf, type PlanLimit, planLimit } from './outcome.js';
import { ownership } from './ownership.js';
import { retrying } from './retry.js';
import { serversIn, serverWatch } from './servers.js';
import { SILENT, SILENT_SYSTEM } from './silent.js';
import { steering, userFrame } from './steering.js';
import { subagents } from './subagents.js';
import { texts } from './texts.js';
import { tools } from './tools.js';
import { usage } from './usage.js';

export { GUARD } from './control.js';
export { plainServer } from './names.js';
export type { Evidence, Failure, StreamProgram, StreamTurn } from './options.js';

const LAST_LINES = 20;

/** @returns a state machine for one turn of one program */
export function claudeStream(program: StreamProgram, turn: StreamTurn): Conversation {
  const context = { program, turn };
  const agents = subagents();
  const native = tools(context, agents);
  const requests = control(context, native);
  const said = texts(program);
  const spent = usage(program);
  const guidance = steering(turn);
  const owner = ownership(context);
  const watch = turn.asksServers ? serverWatch(turn.server) : null;
  const early: Extract<Heard, { type: 'steer' }>[] = [];
  const stderr: string[] = [];
  let retries = 0;
  /** The last retry that stderr announced: the stream may say the same. */
  let attempt: number | null = null;
  let prompted = false;
  let stopping = false;
  let ended = false;
  let marked: Marked | null = null;
  let limit: PlanLimit = { exhausted: false, resetsAt: null };
  /** The outcome of a result after which another one is awaited. */
  let withheld: Outcome | null = null;

  const finish = (outcome: Outcome, living: JsonObject | null = null): Action[] => {
    if (ended) return [];
    ended = true;
    const last: Action = living === null ? { do: 'finish', outcome } : { do: 'finish', outcome, living };
    const late = early.splice(0).map(({ id }): Action => ({ do: 'steered', id, delivered: false }));
    return [...said.release(), ...agents.close(), ...guidance.close(), ...late, last];
  };

  /** A program that hears nothing after its prompt acknowledges nothing. */
  const phase = (now: Phase | null): Action[] => (turn.oneWay === undefined ? [{ do: 'phase', phase: now }] : []);
  const begin = (refused: string | null): Action[] => {
    if (prompted || stopping) return [];
    if (refused !== null) {
      return finish({
        ok: false,
        code: 'runner-error',
        message: `${program.title} refused to start the turn: ${refused}`,
      });
    }
    if (watch !== null) return [...phase('servers'), watch.ask()];
    return prompt();
  };
  const prompt = (): Action[] => {
    if (prompted || stopping) return [];
    prompted = true;
    owner.asked();
    const first: Action = {
      do: 'write',
      line: JSON.stringify(userFrame(turn.prompt, turn.commands, turn.images, turn.uuid)),
    };
    return [
      ...phase(turn.trusted.length > 0 && watch === null ? 'servers' : 'prompt'),
      first,
      ...early.splice(0).flatMap(({ id, text }) => guidance.give(id, text)),
    ];
  };

  const system = (line: JsonObject, text: string): Action[] => {
    const subtype = str(line, 'subtype') ?? '';
    switch (subtype) {
      case 'init': {
        owner.began();
        const session_id = str(line, 'session_id');
        const session: Action[] =
          session_id === undefined ? [] : [{ do: 'say', event: { type: 'session', session_id } }];
        const mcpServers = serversIn(arr(line, 'mcp_servers') ?? [], turn.server);
        const awaited = phase(prompted && !owner.isOurs() ? 'prompt' : null);
        return [{ do: 'say', event: { type: 'ready', mcpServers } }, ...session, ...awaited];
      }
      case 'api_retry':
        return [retrying(program, line, null, 1)];
      case 'retry': {
        said.again();
        // Said a second time, without numbers, when the wait is over.
        const announced = num(line, 'data', 'attempt') !== undefined || bool(line, 'data', 'preserveText');
        if (!announced) return [];
        if (attempt !== null && num(line, 'data', 'attempt') === attempt) {
          attempt = null;
          return [];
        }
        retries += 1;
        return [retrying(program, line, retryStatus(), retries)];
      }
      case 'permission_denied': {
        const id = str(line, 'tool_use_id');
        if (id !== undefined) native.refused(id);
        return [];
      }
      case 'informational': {
        const message = str(line, 'content');
        return message === undefined ? [] : [notice('runtime-message', message)];
      }
      default:
        return agents.line(line) ?? (SILENT_SYSTEM.has(subtype) ? [] : [{ do: 'unread', text }]);
    }
  };

  const attempted = (text: string): Action[] => {
    const retry = program.announcesAttempts ? announcedAttempt(program.title, text) : null;
    // Said again while the same wait goes on.
    if (retry === null || retry.attempt === attempt) return [];
    attempt = retry.attempt;
    said.again();
    return [retry];
  };

  const retryStatus = (): number | null => {
    const told = stderr.map((text) => program.retryStatus?.exec(text)?.[1]).filter((one) => one !== undefined);
    return told.length === 0 ? null : Number(told.at(-1));
  };

  const assistant = (line: JsonObject): Action[] => {
    const error = markedError(line);
    if (error !== null) {
      marked = error;
      return [];
    }
    const model = str(line, 'message', 'model');
    // The model answers after all.
    if (model !== '<synthetic>') marked = null;
    const isMain = str(line, 'parent_tool_use_id') === undefined;
    const round = said.current() ?? str(line, 'message', 'id') ?? '';
    const answered: Action[] =
      isMain && model !== undefined && model !== '<synthetic>' ? [{ do: 'model', id: model }] : [];
    const words = mine(said.whole(line));
    const calls = native.calls(line, round);
    const released = calls.length > 0 ? said.release() : [];
    return [...answered, ...words, ...released, ...calls, ...spent.whole(line)];
  };

  /** What is said in a turn that the program began by itself does not answer our prompt. */
  const mine = (actions: Action[]): Action[] =>
    owner.isOurs() ? actions : actions.filter(({ do: what }) => what !== 'say');
  const foreign = (line: JsonObject): Action[] => {
    said.drop();
    marked = null;
    const kind = str(line, 'origin', 'kind');
    const about = kind === undefined ? '' : ` (${kind.replaceAll('-', ' ')})`;
    const message = `${program.title} ended a turn of its own${about}; the answer to the prompt is still awaited.`;
    return [...spent.result(line), notice('other-turn', message), ...phase('prompt')];
  };

  const result = (line: JsonObject): Action[] => {
    if (!owner.ends(line)) return foreign(line);
    const failed = str(line, 'error', 'message');
    // The text that stood for an error is the error; anything else was an answer after all.
    const words = failed === undefined ? said.release() : [];
    if (failed !== undefined) said.drop();
    const costs = spent.result(line);
    const outcome = outcomeOf(program, line, marked, limit, spent);
    const follows = outcome.ok && outcome.stopReason === 'end_turn' && guidance.anotherFollows();
    withheld = follows ? outcome : null;
    if (follows) owner.again();
    return follows ? [...words, ...costs] : [...words, ...costs, ...finish(outcome, kept(line))];
  };
  /** Only a result that names our prompt leaves nothing behind that could be taken for an answer to the next one. */
  const kept = (line: JsonObject): JsonObject | null => {
    const ours = (arr(line, 'user_message_uuids') ?? []).some((uuid) => uuid === turn.uuid);
    return ours && !requests.owes() && !guidance.waits() ? { turns: (num(turn.living, 'turns') ?? 0) + 1 } : null;
  };

  const line = (text: string): Action[] => {
    const delta = readDelta(text);
    if (delta !== null) {
      marked = null;
      return mine(said.delta(delta));
    }
    const one = parseObject(text);
    const type = str(one, 'type');
    if (one === undefined || type === undefined) return text.trim() === '' ? [] : [{ do: 'unread', text }];
    switch (type) {
      case 'stream_event':
        if (str(one, 'event', 'type') === 'content_block_delta') marked = null;
        return [...mine(said.event(one)), ...spent.event(one)];
      case 'assistant':
        return assistant(one);
      case 'user':
        return [
          ...(owner.taken(one) ? phase(null) : []),
          ...guidance.echo(one),
          ...(program.promptBeginsAgent ? agents.prompted(one) : []),
          ...native.results(one),
        ];
      case 'system':
        return system(one, text);
      case 'result':
        return result(one);
      case 'control_request':
        return requests.request(one);
      case 'control_cancel_request':
        return requests.cancelled(one);
      case 'control_response': {
        const greeting = requests.greeted(one);
        return greeting === null ? (watch?.answered(one) ?? []) : begin(greeting.refused);
      }
      case 'rate_limit_event':
        // A limit that was hit stays hit, whatever is said of another window.
        if (!limit.exhausted) limit = planLimit(one);
        return [];
      default:
        return SILENT.has(type) ? [] : [{ do: 'unread', text }];
    }
  };

  const exit = (code: number | null, signal: string | null): Action[] => {
    const how = exitWords(code, signal);
    const message = `${program.title} ${how} before its turn was over.`;
    // A program that exits without mentioning late guidance has answered all the same.
    const last = code === 0 ? withheld : null;
    return [
      ...spent.flush(),
      ...finish(last ?? program.lastWords(stderr) ?? { ok: false, code: 'runner-error', message }),
    ];
  };

  return {
    hear(heard) {
      if (ended) return heard.type === 'line' ? idle(heard.text, requests, said) : [];
      switch (heard.type) {
        case 'spawned':
          if (turn.living) return begin(null);
          if (turn.oneWay === undefined) return [...phase('hello'), requests.hello()];
          return [...(turn.oneWay === 'frame' ? begin(null) : []), { do: 'end-stdin' }];
        case 'line':
          return line(heard.text);
        case 'stderr':
          stderr.push(heard.text);
          if (stderr.length > LAST_LINES) stderr.shift();
          return attempted(heard.text);
        case 'mcp':
          return requests.answered(heard);
        case 'decision':
          return requests.decided(heard);
        case 'steer':
          if (prompted) return guidance.give(heard.id, heard.text);
          early.push(heard);
          return [];
        case 'stop':
          // Before the prompt there is nothing to interrupt: it leaves when its stdin ends.
          stopping = true;
          native.stopped();
          if (turn.oneWay !== undefined) {
            const outcome = { ok: false, code: 'cancelled', message: `${program.title} is ended.` } as const;
            return [...spent.flush(), ...finish(outcome)];
          }
          return prompted ? [...spent.flush(), requests.interrupt()] : [{ do: 'end-stdin' }];
        case 'exit':
          return exit(heard.code, heard.signal);
        case 'woken':
          return stopping ? [] : (watch?.woken() ?? prompt());
        case 'answers':
          return requests.told(heard);
        case 'answer':
          return [];
        default: {
          const never: never = heard;
          return never;
        }
      }
    },
  };
}
