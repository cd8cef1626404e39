import { createHash } from 'node:crypto';
import { toolSomewhereInside } from './code-mode.js';
import type { Directive } from './directive.js';
import {
  CUT_DELTAS,
  HANG_DELTA,
  LONG,
  NO_TOOL,
  numberedText,
  pieces,
  TEXT,
  TEXT_DELTAS,
  THOUGHTS,
  UNICODE_DELTAS,
} from './texts.js';
import { type NativeKind, nativeCall, nativeTool, toolNamed, withRequired } from './tools.js';
import type { Answer, Asked, Call, FailureName, Reply } from './types.js';
import { object, takeJson } from './values.js';

/** What a scenario may know besides the request: how often this very prompt was tried before. */
export interface Memory {
  attempt(prompt: string): number;
  /** Prompts for which a tool was looked for first, because the program hides its tools behind a search. */
  searched: Set<string>;
}

type Script = (asked: Asked, directive: Directive, memory: Memory) => Reply;

function answer(text: readonly string[], more: Partial<Answer> = {}): Answer {
  return { kind: 'answer', thinking: [], text: [...text], calls: [], pause: 10, ending: 'stop', ...more };
}

const fails =
  (failure: FailureName): Script =>
  () => ({ kind: 'failure', failure });

/** The closing words after a tool: they quote what came back, so that a check can see what the agent was given. */
function closing(directive: Directive): Answer {
  const quoted = directive.results.map((result) => result.text).join(' | ');
  const heard = directive.later.map((text) => ` Heard: ${text.slice(0, 500)}`).join('');
  return answer(pieces(`Tool said: ${quoted.slice(0, 6000)}${heard}`, 400));
}

function calling(call: Call | undefined, words = 'Running the tool.'): Answer {
  return call === undefined ? answer([NO_TOOL]) : answer([words], { calls: [call] });
}

function native(asked: Asked, kind: NativeKind, values: Record<string, string>): Call | undefined {
  const tool = nativeTool(asked.tools, kind);
  return tool === undefined ? undefined : nativeCall(tool, kind, values);
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const once =
  (first: (asked: Asked, directive: Directive) => Answer): Script =>
  (asked, directive) =>
    directive.rounds > 0 ? closing(directive) : first(asked, directive);

/** `NAME {json}` pairs, in order. */
function namedCalls(asked: Asked, text: string): (Call | undefined)[] {
  const calls: (Call | undefined)[] = [];
  for (let rest = text; /^[\w./-]+\s*\{/.test(rest); ) {
    const name = /^[\w./-]+/.exec(rest)?.[0] ?? '';
    const taken = takeJson(rest);
    if (taken === undefined) break;
    const tool = toolNamed(asked.tools, name) ?? toolSomewhereInside(asked.tools, name);
    calls.push(tool === undefined ? undefined : withRequired({ tool, args: taken.value }));
    rest = taken.rest;
  }
  return calls;
}

/**
 * One call or several at once; a tool that is not in sight is looked for where the program has a search, and without one
 * the model says so instead of inventing it.
 */
const callsByName: Script = (asked, directive, memory) => {
  const { prompt, rest, rounds } = directive;
  if (rounds > (memory.searched.has(prompt) ? 1 : 0)) return closing(directive);
  const calls = namedCalls(asked, rest).filter((call) => call !== undefined);
  if (calls.length > 0) return answer(['Running the tool.'], { calls });
  const search = asked.tools.find((candidate) => candidate.name === 'ToolSearch');
  if (search === undefined || rounds > 0) return answer([NO_TOOL]);
  memory.searched.add(prompt);
  return calling(
    { tool: search, args: { query: /^[\w./-]+/.exec(rest)?.[0] ?? '', max_results: 5 } },
    'Looking for it.',
  );
};

const repair: Script = (asked, directive) => {
  const [first = '', fixed = ''] = directive.rest.split(' || ');
  // The last one counts: without a session the refused call stands in the same prompt for ever.
  const failed = directive.results.at(-1)?.failed === true;
  if (directive.rounds === 0) return calling(namedCalls(asked, first)[0]);
  if (directive.rounds > 1 || !failed) return closing(directive);
  const name = /^[\w./-]+/.exec(first)?.[0] ?? '';
  return calling(namedCalls(asked, `${name} ${fixed}`)[0], 'Trying again.');
};

/** A JSON answer: through the program's own output tool where it has one, as text elsewhere. */
const structured: Script = (asked, directive) => {
  const [variant = '', ...words] = directive.rest.split(' ');
  const [bad = '', good = ''] = words.join(' ').split(' || ');
  // Without a session the request to repair stands in the prompt itself.
  const again = directive.prompt.includes('[Your answer so far]') ? 1 : 0;
  const round = directive.rounds + directive.later.length + again;
  const wanted = variant === 'valid' || (variant === 'repaired' && round > 0) ? good || bad : bad;
  const tool = asked.tools.find((candidate) => /structured_?output/i.test(candidate.name));
  const value = takeJson(wanted)?.value;
  if (tool === undefined) return answer(pieces(wanted, 20));
  const done = directive.results.at(-1);
  if (done !== undefined && !done.failed) return answer(['Done.']);
  if (directive.rounds > 3 || value === undefined) return answer([wanted]);
  return answer([], { calls: [{ tool, args: value }] });
};

const tally: Script = (asked, directive) => {
  const prompt = directive.prompt;
  const sum = createHash('sha256').update(prompt).digest('hex');
  return answer([`length ${Buffer.byteLength(prompt)} `, `sha256 ${sum} `, `messages ${asked.said.length}`]);
};

/**
 * A list of three steps: in one call where the program takes the whole list, else step by step. Tools that are hidden
 * behind a search are looked for first.
 */
const planning: Script = (asked, directive) => {
  const tool = nativeTool(asked.tools, 'plan');
  const search = asked.tools.find((candidate) => candidate.name === 'ToolSearch');
  const step = directive.rounds - (search === undefined ? 0 : 1);
  if (step < 0 && search !== undefined && tool === undefined) {
    return calling({ tool: search, args: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } });
  }
  if (tool?.name !== 'TaskCreate') {
    if (directive.rounds > 0) return closing(directive);
    return calling(native(asked, 'plan', { plan: 'look around,change it,check it', content: 'look around' }));
  }
  const update = toolNamed(asked.tools, 'TaskUpdate');
  if (step <= 0) {
    const subjects = ['look around', 'change it', 'check it'];
    return answer(['Planning.'], { calls: subjects.map((subject) => nativeCall(tool, 'plan', { content: subject })) });
  }
  if (step > 1 || update === undefined) return closing(directive);
  // Most number the steps; some tell a name of their own for each.
  const ids = directive.results.map((result) => /"taskId":"([^"]+)"/.exec(result.text)?.[1]);
  const changes = [
    { taskId: ids[0] ?? '1', status: 'completed' },
    { taskId: ids[1] ?? '2', status: 'in_progress' },
  ];
  return answer(['Updating.'], { calls: changes.map((args) => ({ tool: update, args })) });
};

/** What each program calls its helper for everything. */
const helpers: Record<string, string> = { task: 'general', invoke_agent: 'generalist', spawn_agent: 'default' };

/** Every scenario by name. The prompt orders one with `SCENARIO:<name> <rest of the line>`. */
export const scripts: Record<string, Script> = {
  text: () => answer(TEXT_DELTAS, { pause: 25 }),
  long: () => answer(pieces(LONG, 800), { pause: 1 }),
  big: (_asked, directive) =>
    answer(pieces(numberedText((Number(directive.rest) || 1) * 1024 * 1024), 16_000), { pause: 0 }),
  unicode: () => answer(UNICODE_DELTAS),
  think: () => answer(TEXT_DELTAS, { thinking: [...THOUGHTS] }),
  empty: () => answer([]),
  maxtokens: () => answer(TEXT_DELTAS, { ending: 'max_tokens' }),
  refusal: () => answer(['I can not ', 'help with that.'], { ending: 'refusal' }),
  slow: (_asked, directive) => {
    const seconds = Number.parseFloat(directive.rest) || 5;
    const count = Math.ceil(seconds / 0.3);
    return answer(
      Array.from({ length: count }, (_unused, n) => `tick ${n + 1} `),
      { pause: 300 },
    );
  },
  hang: () => answer([HANG_DELTA], { ending: 'hang' }),
  silent: () => answer([], { ending: 'hang' }),
  drop: (_asked, directive, memory) =>
    memory.attempt(directive.prompt) === 1 ? answer(TEXT_DELTAS.slice(0, 2), { ending: 'drop' }) : answer(TEXT_DELTAS),
  cut: (_asked, directive, memory) =>
    memory.attempt(directive.prompt) === 1 ? answer(CUT_DELTAS.slice(0, 2), { ending: 'cut' }) : answer(CUT_DELTAS),
  dropall: () => answer(TEXT_DELTAS.slice(0, 2), { ending: 'drop' }),
  flaky: (asked, directive, memory) => {
    const [status = '', tries = '1'] = directive.rest.split(' ');
    const script = scripts[status];
    return memory.attempt(directive.prompt) <= Number(tries) && script
      ? script(asked, directive, memory)
      : answer(TEXT_DELTAS);
  },
  shell: once((asked, directive) => calling(native(asked, 'shell', { command: directive.rest }))),
  // Where a program has a sandbox, it asks its user only when the model wants to leave it.
  escalate: once((asked, directive) => {
    const call = native(asked, 'shell', { command: directive.rest });
    const leaves = call !== undefined && object(call.tool.schema?.properties).sandbox_permissions !== undefined;
    if (call === undefined || !leaves) return calling(call);
    const args = { ...call.args, sandbox_permissions: 'require_escalated', justification: 'The lab wants to.' };
    return calling({ ...call, args });
  }),
  // Never ends by itself: for round limits. No faster than a real model, or it is ahead of whoever counts.
  loop: (asked, directive) => ({
    ...calling(native(asked, 'shell', { command: `${directive.rest || 'pwd'}` }), `Round ${directive.rounds + 1}.`),
    pause: 400,
  }),
  write: once((asked, directive) => {
    const [path = '', ...words] = directive.rest.split(' ');
    const content = words.join(' ');
    const call = native(asked, 'write', { path, content });
    const command = `printf %s ${quoteForShell(content)} > ${quoteForShell(path)}`;
    return calling(call ?? native(asked, 'shell', { command }));
  }),
  read: once((asked, directive) => {
    const call = native(asked, 'read', { path: directive.rest });
    return calling(call ?? native(asked, 'shell', { command: `cat ${quoteForShell(directive.rest)}` }));
  }),
  fetch: once((asked, directive) =>
    calling(native(asked, 'fetch', { url: directive.rest, prompt: `Summarize ${directive.rest}` })),
  ),
  plan: planning,
  // Something of its own is running, and ends, while the answer is still being given.
  meanwhile: (asked, directive) => {
    if (directive.rounds > 0) return answer(TEXT_DELTAS, { pause: 700 });
    const shell = nativeTool(asked.tools, 'shell');
    const background = 'run_in_background' in object(shell?.schema?.properties);
    if (shell === undefined || !background) {
      const agent = helpers[nativeTool(asked.tools, 'task')?.name ?? ''] ?? 'general-purpose';
      return calling(native(asked, 'task', { prompt: 'SCENARIO:text inner', agent }));
    }
    const call = nativeCall(shell, 'shell', { command: directive.rest });
    return calling({ ...call, args: { ...call.args, run_in_background: true } });
  },
  // The helper's own prompt orders its answer.
  task: once((asked, directive) => {
    const agent = helpers[nativeTool(asked.tools, 'task')?.name ?? ''] ?? 'general-purpose';
    return calling(native(asked, 'task', { prompt: directive.rest, agent }));
  }),
  tool: callsByName,
  tools2: callsByName,
  toolrepair: repair,
  toolbig: once((asked, directive) => {
    const [name = '', size = '1'] = directive.rest.split(' ');
    const tool = toolNamed(asked.tools, name);
    return calling(tool && withRequired({ tool, args: { text: 'x'.repeat(Number(size) * 1024) } }));
  }),
  tooltext: once((asked, directive) => {
    const calls = namedCalls(asked, directive.rest).filter((call) => call !== undefined);
    return answer([TEXT], { calls });
  }),
  json: structured,
  echo: tally,
  remember: (_asked, directive) => answer(pieces(`Remembered: ${JSON.stringify(directive.before)}`, 30)),
  '401': fails('unauthorized'),
  badkey: fails('bad-key'),
  '403': fails('forbidden'),
  '404': fails('no-model'),
  '429': fails('rate-limit'),
  quota: fails('quota'),
  '500': fails('server-error'),
  '529': fails('overloaded'),
};
