/** Turns what a conversation says into events: sizes, ids, the order of openings and ends. */

import type { ErrorCode } from '../contract/error.js';
import type {
  AgentLaunches,
  AssistantEvent,
  Event,
  NoticeEvent,
  ProgressEvent,
  ThinkingEvent,
  ToolActivityEvent,
} from '../contract/event.js';
import type { NoticeCode } from '../contract/vocabulary.js';
import type { Action, Say } from '../runner/action.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import { type Activities, activities } from './activities.js';
import { clampInput, clampMessage, fitJson, split } from './clamp.js';
import { halves } from './halves.js';
import { type Messages, messages } from './messages.js';
import { type Rounds, rounds } from './rounds.js';
import { subagents } from './subagents.js';
import type { World } from './world.js';

/** Whether a turn has servers or settings of which it is told when they are ready. */
export function awaitsServers({ mcpServers, settings, requireMcp }: TurnRequest): boolean {
  return mcpServers.length > 0 || settings.length > 0 || requireMcp !== undefined;
}

export interface Saying {
  say(said: Say): void;
  retry(retry: Extract<Action, { do: 'retrying' }>): void;
  steered(id: string, delivered: boolean): void;
  initializing(): void;
  /** Ends every open native call as cancelled. */
  closeAll(): void;
  /** Whether the agent gave any sign of work (rule 5 of docs/protocol.md). */
  evidence(): boolean;
  rounds: Rounds;
  activities: Activities;
  messages: Messages;
  models: Set<string>;
  /** Subagents that were started. */
  launches(): AgentLaunches;
}

/** In the type or the description of a subagent. */
const REVIEW = /review/i;

type SaidText = Extract<Say, { type: 'assistant' | 'thinking' }>;

export function saying(options: {
  runner: Runner;
  request: TurnRequest;
  world: World;
  emit(event: Event): void;
  /** Another session answered than the one that was to be continued. */
  failSession(message: string): void;
}): Saying {
  const { runner, request, world, emit } = options;
  const open = activities();
  const counted = rounds();
  const texts = messages();
  const characters = halves();
  const sessions = new Set<string>();
  const launched: AgentLaunches = { total: 0, review: 0 };
  let spoke = false;
  let ready = false;

  const tasks = runner.tellsSubagents ? null : subagents();
  const showTool = (event: ToolActivityEvent) => {
    emit(event);
    const told = tasks?.after(event);
    if (told) emit(told);
    if (told?.phase === 'started') launch(told);
  };
  const launch = ({ subagent_type = '', description = '' }: { subagent_type?: string; description?: string }) => {
    launched.total++;
    if (REVIEW.test(`${subagent_type} ${description}`)) launched.review++;
  };
  const progress = (phase: ProgressEvent['phase'], rest: Partial<ProgressEvent>) =>
    emit({ ...rest, v: 1, type: 'status', phase });
  const notice = (code: NoticeCode, message: string, rest: Partial<Pick<NoticeEvent, 'retry' | 'steer'>> = {}) => {
    const { text, cut } = clampMessage(message);
    const truncated = cut ? { message_truncated: true as const } : {};
    emit({ v: 1, type: 'status', phase: 'notice', code, message: text, ...rest, ...truncated });
  };
  const session = (id: string) => {
    if (sessions.has(id)) return;
    if (sessions.size === 0 && request.resume !== null && id !== request.resume) {
      options.failSession(`${runner.id} answered with session ${id} instead of ${request.resume}`);
      return;
    }
    sessions.add(id);
    emit({ v: 1, type: 'session', session_id: id });
  };
  const speak = (said: SaidText) => {
    if (said.text === '') return;
    spoke = true;
    const event = (text: string, cut: boolean): AssistantEvent | ThinkingEvent => {
      const spoken: AssistantEvent | ThinkingEvent = { v: 1, type: said.type, text, message_id: said.message_id };
      if (said.replaces !== undefined) spoken.replaces = said.replaces;
      if (said.parent_tool_use_id !== undefined) spoken.parent_tool_use_id = said.parent_tool_use_id;
      if (cut) spoken.text_truncated = true;
      return spoken;
    };
    if (said.type === 'assistant' && said.parent_tool_use_id === undefined) {
      texts.add(said.message_id, said.text, said.replaces);
    }
    if (runner.streamsIncrementally) {
      const whole = characters.join(`${said.type} ${said.message_id}`, said.text);
      if (whole !== '') for (const piece of split(whole)) emit(event(piece, false));
      return;
    }
    const { text, cut } = fitJson(said.text);
    emit(event(text, cut));
  };

  return {
    rounds: counted,
    activities: open,
    messages: texts,
    models: new Set<string>(),
    launches: () => ({ ...launched }),
    evidence: () => spoke || open.any(),
    say(said) {
      switch (said.type) {
        case 'session':
          return session(said.session_id);
        case 'assistant':
        case 'thinking':
          return speak(said);
        case 'tool_activity': {
          const event = said.phase === 'start' ? open.start(said, world.now()) : open.end(said, world.now());
          if (!event) return;
          if (said.phase === 'start') counted.toolStart();
          else counted.toolEnd();
          return showTool(event);
        }
        case 'subagent': {
          if (said.phase === 'started') launch(said);
          const cut = (text: string | undefined) => (text === undefined ? undefined : clampMessage(text).text);
          const { summary, prompt, description } = said;
          return emit({
            v: 1,
            ...said,
            ...(summary === undefined ? {} : { summary: cut(summary) }),
            ...(prompt === undefined ? {} : { prompt: cut(prompt) }),
            ...(description === undefined ? {} : { description: cut(description) }),
          });
        }
        case 'plan': {
          const safe = clampInput({ entries: said.entries.map((entry) => ({ ...entry })) });
          return emit({ v: 1, type: 'plan', entries: safe?.['entries'] ? said.entries : [] });
        }
        case 'notice':
          return notice(said.code, said.message);
        case 'ready':
          if (ready || !awaitsServers(request)) return;
          ready = true;
          return progress('ready', { mcp_servers: said.mcpServers });
        default: {
          const never: never = said;
          throw new Error(`unknown event ${JSON.stringify(never)}`);
        }
      }
    },
    retry(retry) {
      const code: ErrorCode | null = retry.code;
      notice('retrying', retry.message, {
        retry: {
          attempt: Math.trunc(retry.attempt),
          max: retry.max === null ? null : Math.trunc(retry.max),
          delay_ms: retry.delayMs === null ? null : Math.round(retry.delayMs),
          code,
        },
      });
    },
    steered(id, delivered) {
      const message = delivered ? 'the guidance was delivered' : `${runner.id} did not take the guidance`;
      notice('steer', message, { steer: { id, delivered } });
    },
    initializing: () => progress('initializing', {}),
    closeAll() {
      for (const event of open.closeAll(world.now())) showTool(event);
    },
  };
}
