import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { Sink } from '../../src/output/event-writer.js';
import { side } from '../../src/output/status-line.js';
import { type TextLook, textView } from '../../src/output/text-view.js';
import { textWriter } from '../../src/output/text-writer.js';
import { columnsOf, harmless, oneLine, shorten } from '../../src/text/printable.js';
import { toolLabel } from '../../src/view/tool-label.js';

const LOOK: TextLook = { colours: false, quiet: false, terminal: false, shared: false, times: false, asks: false };
const start: Event = {
  v: 1,
  type: 'start',
  runtime: 'demo',
  cwd: '/project',
  pid: 1,
  child_pid: 2,
  access: 'scoped',
  access_gaps: [],
  native_sandbox: 'none',
  approvals: 'n/a',
  asks_permission: false,
  settings_loaded: [],
  credential: { kind: 'none' },
  confinement: { by: 'program', network: 'open' },
  streams_incrementally: true,
};
const say = (text: string, id = 'm1', more = {}): Event => ({ v: 1, type: 'assistant', text, message_id: id, ...more });
const tool = (id: string, input: Record<string, string>, parent: string | null = null): Event => ({
  v: 1,
  type: 'tool_activity',
  phase: 'start',
  id,
  name: 'Bash',
  kind: 'shell',
  input,
  parent_tool_use_id: parent,
});
const end = (id: string, more = {}): Event => ({
  v: 1,
  type: 'tool_activity',
  phase: 'end',
  id,
  name: 'Bash',
  ok: true,
  output: '',
  output_truncated: false,
  duration_ms: 1500,
  ...more,
});
const done = (more: Partial<Extract<Event, { type: 'done' }>> = {}): Event => ({
  v: 1,
  type: 'done',
  exit_code: 0,
  stop_reason: 'end_turn',
  duration_ms: 2345,
  totals: { input_tokens: 1200, output_tokens: 34, cached_tokens: 200, cost_usd: 0.00714 },
  ...more,
});

/** What both streams show in the end. */
function show(events: readonly Event[], look: Partial<TextLook> = {}) {
  const view = textView({ ...LOOK, ...look });
  const shown = events.map(view);
  return { out: shown.map((one) => one.out).join(''), lines: shown.flatMap((one) => one.lines), shown };
}

test('the answer alone goes to stdout and ends with a line break', () => {
  const { out, lines } = show([start, say('Hel'), say('lo'), done()]);
  assert.is(out, 'Hello\n');
  assert.equal(lines, ['demo · 1,200 tokens in (200 cached) · 34 out · $0.0071']);
});

test('messages stand apart from each other; what subagents say is left out', () => {
  const { out } = show([
    start,
    say('one'),
    say('of a helper', 'h', { parent_tool_use_id: 't' }),
    say('two', 'm2'),
    done(),
  ]);
  assert.is(out, 'one\n\ntwo\n');
});

test('a tool is one line, with what went wrong; calls of a subagent are indented', () => {
  const { lines } = show([
    start,
    tool('a', { command: 'git status' }),
    end('a'),
    tool('b', { command: 'make\nall' }),
    end('b', { ok: false, exit_code: 2 }),
    tool('c', { command: 'x' }),
    tool('d', { command: 'y' }, 'c'),
    end('d', { ok: false, denied: true }),
    end('c', { ok: false, cancelled: true }),
  ]);
  assert.equal(lines, [
    '✓ shell git status',
    '✗ shell make all (exit 2)',
    '  ✗ shell y (denied)',
    '✗ shell x (cancelled)',
  ]);
});

test('on one screen a line never begins inside the answer', () => {
  const events = [start, say('first'), tool('a', { command: 'ls' }), end('a'), say('second', 'm2'), done()];
  assert.is(show(events, { shared: true }).out, 'first\n\nsecond\n');
  assert.is(show(events).out, 'first\n\nsecond\n');
  assert.is(show([start, say('x'), tool('a', { command: 'ls' })], { shared: true }).out, 'x\n', 'the live line, too');
});

test('quiet leaves errors, and nothing of a turn that has no result', () => {
  const error: Event = { v: 1, type: 'error', code: 'auth', message: 'not logged in', fatal: true, hint: 'x login' };
  const { out, lines } = show([start, say('a'), tool('t', { command: 'ls' }), end('t'), error, done()], {
    quiet: true,
  });
  assert.is(out, '');
  assert.equal(lines, ['error auth: not logged in', 'Try: x login']);
});

test('unknown figures are left out, times are for terminals', () => {
  const totals = { input_tokens: null, output_tokens: 3, cached_tokens: null, cost_usd: null };
  assert.equal(show([start, done({ totals })]).lines, ['demo · 3 out']);
  assert.equal(show([start, done({ totals })], { times: true }).lines, ['demo · 2.3s · 3 out']);
  assert.equal(show([start, done({ totals, stop_reason: 'max_tokens' })]).lines, [
    'demo · stopped: max_tokens · 3 out',
  ]);
});

test('a refused turn has no summary', () => {
  const refused: Event = { ...start, child_pid: undefined };
  assert.equal(show([refused, done({ totals: undefined, exit_code: 2 })]).lines, []);
});

test('an answer that starts again says so', () => {
  const { out, lines } = show([start, say('Hel', 'm1'), say('Hello', 'm2', { replaces: 'm1' }), done()]);
  assert.is(out, 'Hel\nHello\n');
  assert.match(lines[0] ?? '', /starts again/);
});

test('what a terminal would obey is taken out, also of names and paths', () => {
  assert.is(harmless('a\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007b\tc\n'), 'ared b\tc\n');
  assert.is(oneLine('a\nb\u001b[2J\u202ec'), 'a b?[2J?c');
  assert.is(show([start, say('\u001b[2Jx'), done()], { terminal: true }).out, 'x\n');
  assert.is(show([start, say('\u001b[2Jx'), done()]).out, '\u001b[2Jx\n', 'a file gets what was said');
});

test('labels name what a tool works on, from the working directory', () => {
  const label = (kind: 'edit' | 'mcp' | 'other' | 'patch', input: Record<string, never>) =>
    toolLabel({ kind, name: 'Own', input }, '/project');
  assert.is(label('edit', JSON.parse('{"file_path":"/project/src/a.ts"}')), 'edit src/a.ts');
  assert.is(label('edit', JSON.parse('{"file_path":"/etc/hosts"}')), 'edit /etc/hosts');
  assert.is(label('mcp', JSON.parse('{"server":"files","tool":"read"}')), 'mcp files read');
  assert.is(
    label('patch', JSON.parse('{"files":[{"file_path":"/project/a"},{"file_path":"/project/b"}]}')),
    'patch a b',
  );
  assert.is(label('other', {}), 'Own');
});

test('a line is cut by columns, not by letters', () => {
  assert.is(columnsOf('日本'), 4);
  assert.is(columnsOf('é'.normalize('NFD')), 1);
  assert.is(shorten('日本語', 5), '日本…');
  assert.is(shorten('abc', 3), 'abc');
});

test('the live line is for terminals, and gone before anything else is written', () => {
  const screen: string[] = [];
  const options = { write: (text: string) => void screen.push(text), columns: () => 20, unicode: false, now: () => 0 };
  const piped = side({ ...options, terminal: false });
  piped.live('working');
  assert.equal(screen, []);
  const live = side({ ...options, terminal: true });
  live.live('a very long thing to be doing');
  assert.is(screen.at(-1), '\r\u001b[2K| 0s a very long t…');
  live.line('done');
  assert.equal(screen.slice(-2), ['\r\u001b[2K', 'done\n']);
  live.close();
});

test('on one screen everything goes one way, in order', async () => {
  const written: string[] = [];
  // Takes its time, as a busy pipe does.
  const sink: Sink = {
    write(text, taken) {
      setImmediate(() => {
        written.push(text);
        taken();
      });
      return true;
    },
    on: () => undefined,
  };
  const view = textView({ ...LOOK, shared: true });
  const writer = textWriter(
    sink,
    {},
    view,
    (write) => {
      assert.ok(write);
      return side({ write, terminal: true, columns: () => 40, unicode: false, now: () => 0 });
    },
    true,
  );
  for (const event of [start, say('answer'), tool('a', { command: 'ls' }), end('a'), done()]) writer.write(event);
  assert.ok(await writer.flush(1000));
  const screen = written.join('');
  assert.ok(screen.indexOf('answer') < screen.indexOf('shell ls'));
  assert.ok(screen.endsWith('$0.0071\n'));
  assert.not.match(screen, /answer\r/);
});

test.run();
