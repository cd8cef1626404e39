import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { str } from '../../src/text/json.js';
import { scratch } from '../contract/scratch.js';
import { runDemo, state } from './program.js';

const test = suite('words of the demo runtime');
const types = (frames: JsonObject[]) => frames.map((frame) => frame['type']);

test('answers a remark in several deltas and ends well', async () => {
  const ran = await runDemo({ text: 'how are you?' });
  assert.match(ran.text, /You said: how are you\?$/);
  assert.ok(types(ran.frames).filter((type) => type === 'delta').length > 2);
  assert.equal(ran.end, { type: 'end', reason: 'end_turn' });
  assert.is(ran.code, 0);
});

test('gives the single word that was asked for', async () => {
  assert.is((await runDemo({ text: 'Reply with the single word ok.' })).text, 'ok');
});

test('says the same twice', async () => {
  const one = await runDemo({ text: 'plan then shell then subagent' });
  const two = await runDemo({ text: 'plan then shell then subagent' });
  assert.equal(one.frames, two.frames);
});

test('streams 64 KiB in many deltas', async () => {
  const ran = await runDemo({ text: 'long' });
  assert.is(ran.text.length, 64 * 1024);
  assert.is(types(ran.frames).filter((type) => type === 'delta').length, 1024);
});

test('prints exactly the asked-for mebibytes', async () => {
  assert.is(Buffer.byteLength((await runDemo({ text: 'big 2' })).text), 2 * 1024 * 1024);
  const one = await runDemo({ text: 'big 1 one' });
  assert.is(Buffer.byteLength(one.text), 1024 * 1024);
  assert.is(types(one.frames).filter((type) => type === 'delta').length, 1);
});

test('runs a command and quotes what it printed', async () => {
  const ran = await runDemo({ text: 'shell' });
  assert.is(ran.text, 'The command printed: hello from demo');
  const failed = await runDemo({ text: 'shell echo no >&2; exit 3' });
  assert.is(failed.text, 'The command failed (3): no');
});

test('asks before a native tool and does as it is told', async () => {
  const cwd = scratch('cwd');
  const say = (choice: string) => (frame: JsonObject) =>
    frame['type'] === 'question' ? [{ type: 'decision', key: frame['key'] ?? '', choice, message: 'Denied: no.' }] : [];
  const denied = await runDemo({ text: 'write a.txt hi', ask: true }, { cwd, answer: say('deny') });
  assert.is(denied.text, 'I was not allowed to write a.txt. Denied: no.');
  assert.equal(readdirSync(cwd), []);
  const ended = denied.frames.find((frame) => frame['type'] === 'tool_end');
  assert.is(ended?.['denied'], true);
  const allowed = await runDemo({ text: 'write a.txt hi there', ask: true }, { cwd, answer: say('allow_once') });
  assert.is(allowed.text, 'I wrote a.txt.');
  assert.is(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'hi there');
});

test('reports a failed write instead of pretending', async () => {
  const ran = await runDemo({ text: 'write no/such/folder.txt hi' });
  assert.match(ran.text, /^I could not write no\/such\/folder.txt: ENOENT/);
});

test('asks for all tools of a message before it waits for an answer', async () => {
  const wanted: JsonObject[] = [];
  const ran = await runDemo(
    { text: 'tools add {"a":1} & sub {"b":{"c":"}"}}', tools: [{ name: 'add' }, { name: 'sub' }] },
    {
      answer(frame) {
        if (frame['type'] !== 'want_tool') return [];
        wanted.push(frame);
        if (wanted.length < 2) return [];
        return wanted
          .reverse()
          .map((one) => ({ type: 'tool_answer', key: one['key'] ?? '', ok: true, text: `${one['name']}!` }));
      },
    },
  );
  assert.is(ran.text, 'add answered: add!\nsub answered: sub!');
  assert.equal(ran.frames.find((frame) => frame['name'] === 'sub')?.['args'], { b: { c: '}' } });
});

test('says so when a tool was not declared', async () => {
  assert.is((await runDemo({ text: 'tool nope {}' })).text, 'There is no tool named nope. ');
});

test('says a repeated message with a pointer to the one it replaces', async () => {
  const { frames } = await runDemo({ text: 'repeat' });
  const deltas = frames.filter((frame) => frame['type'] === 'delta');
  assert.is(deltas[1]?.['replaces'], deltas[0]?.['message']);
  assert.is.not(deltas[1]?.['message'], deltas[0]?.['message']);
});

test('remembers a session and keeps it private', async () => {
  const session = 'remember-me';
  await runDemo({ text: 'my name is Ada', session });
  const ran = await runDemo({ text: 'remember', session, resume: true });
  assert.is(ran.text, 'Earlier prompts: 1\n1. my name is Ada');
  const file = join(state, 'turnout', 'demo', `${session}.json`);
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600);
});

test('knows no session that was never there, and no path as a session', async () => {
  for (const session of ['never', '../../../etc/passwd', '']) {
    const ran = await runDemo({ text: 'hi', session, resume: true });
    assert.is(str(ran.end, 'error', 'kind'), 'session_not_found');
    assert.equal(types(ran.frames), ['end']);
  }
});

test('tells when a session could not be kept', async () => {
  const ran = await runDemo({ text: 'hi' }, { env: { XDG_STATE_HOME: '/dev/null/x' } });
  assert.match(String(ran.frames.find((frame) => frame['type'] === 'notice')?.['text']), /can't be resumed/);
  assert.is(ran.end?.['reason'], 'end_turn');
});

test('does not show what looks like a key', async () => {
  const env = { DEMO_API_KEY: 'do-not-show', DEMO_COLOUR: 'red' };
  const ran = await runDemo({ text: 'env DEMO_API_KEY then env DEMO_COLOUR then env DEMO_NOTHING' }, { env });
  assert.is(ran.text, 'DEMO_API_KEY is set (not shown).DEMO_COLOUR is set to: redDEMO_NOTHING is not set.');
});

test('crashes with the asked-for code after its text was delivered', async () => {
  const ran = await runDemo({ text: 'crash 7' });
  assert.is(ran.code, 7);
  assert.is(ran.text, 'About to crash');
  assert.match(ran.stderr, /crashing/);
});

test('stops when interrupted, even in silence', async () => {
  const ran = await runDemo(
    { text: 'hang' },
    { answer: (f) => (f['type'] === 'delta' ? [{ type: 'interrupt' }] : []) },
  );
  assert.is(ran.end?.['reason'], 'interrupted');
});

test('takes guidance between two steps and tells about guidance that came too late', async () => {
  const ran = await runDemo(
    { text: 'slow 3' },
    { answer: (f) => (f['text'] === '1 ' ? [{ type: 'steer', id: 's1', text: 'faster' }] : []) },
  );
  assert.equal(
    ran.frames.find((frame) => frame['type'] === 'steered'),
    { type: 'steered', id: 's1', taken: true },
  );
  assert.match(ran.text, /\(Noted: faster\)/);
});

test('announces retries before it fails', async () => {
  const ran = await runDemo({ text: 'rate-limit 3' });
  assert.is(types(ran.frames).filter((type) => type === 'retry').length, 3);
  assert.equal(ran.end?.['error'], {
    kind: 'rate_limit',
    message: 'Too many requests to the demo.',
    retry_after_ms: 30000,
  });
});

test('gives the second answer to the remark after a bad one', async () => {
  const session = 'second-try';
  assert.is((await runDemo({ text: 'json {"a":1} else {"a":"x"}', session })).text, '{"a":1}');
  assert.is((await runDemo({ text: 'Please fix it.', session, resume: true })).text, '{"a":"x"}');
});

test('counts every message: cached input is what was read before', async () => {
  const tool = (f: JsonObject) =>
    f['type'] === 'want_tool' ? [{ type: 'tool_answer', key: f['key'] ?? '', ok: true, text: 'ok' }] : [];
  const { frames } = await runDemo({ text: 'tool t {}', tools: [{ name: 't' }] }, { answer: tool });
  const usage = frames.filter((frame) => frame['type'] === 'usage');
  assert.is(usage.length, 2);
  assert.is(usage[0]?.['cached'], 0);
  assert.ok(Number(usage[1]?.['cached']) > 0);
});

test.run();
