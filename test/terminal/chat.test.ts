// limit: 240s

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withHandOver } from '../../src/chat/hand-over.js';
import { TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { hasTmux, read, type Screen, screen, terminalEnv } from './tmux.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-chat-'));
const cwd = join(home, 'app');
mkdirSync(cwd);
writeFileSync(join(cwd, 'notes.txt'), 'the secret word is heron\n');
const env = terminalEnv(home);
const program = resolve(TURNOUT);
const chat = `${process.execPath} ${program} chat -r demo`;
const inTmux = hasTmux ? test : test.skip;
async function shown(command: string, act: (on: Screen) => Promise<void>, size = {}): Promise<void> {
  const on = screen(command, { env, cwd, ...size });
  try {
    await act(on);
  } finally {
    on.close();
  }
}

async function send(on: Screen, text: string): Promise<void> {
  on.type(text);
  await on.until((seen) => seen.includes(text.slice(-20)));
  on.press('Enter');
}

inTmux('turns, a permission, a question, commands, and two Ctrl-C to leave', () =>
  shown(chat, async (on) => {
    await on.until(/with demo in .*\n[\s\S]*\n> *$/);
    await send(on, 'say # Hello **you**');
    await on.until(/\nHello you\n[\s\S]*demo · /);
    await send(on, 'write a.txt hello');
    await on.until(/\? write a\.txt \+1 -0\n {2}\+ hello[\s\S]*\[y\]es {2}\[n\]o/);
    await read();
    on.press('y');
    await on.until(/I wrote a\.txt/);
    await send(on, 'question Which colour? red | green');
    await on.until(/1 red\n {2}2 green[\s\S]*answer> *$/);
    await send(on, '2');
    await on.until(/green[\s\S]*demo · /);
    await send(on, '/status');
    await on.until(/session {2}[0-9a-f-]{36}/);
    await send(on, '/acces');
    await on.until(/did you mean \/access/);
    on.press('C-c');
    await on.until(/Ctrl-C again leaves/);
    on.press('C-c');
    await on.until(/continue: turnout chat --continue\n\[exit 0\]/);
  }),
);

inTmux('the program stays alive between turns, and the session goes on later', () =>
  shown(`${chat} 'say one'; ${chat} --continue`, async (on) => {
    await on.until(/\none\n[\s\S]*\n> *$/);
    on.press('C-d');
    await on.until((seen) => (seen.match(/turnout chat with/g) ?? []).length === 2);
    await send(on, 'remember');
    await on.until(/say one[\s\S]*demo · [\s\S]*\n> *$/);
  }),
);

inTmux('Ctrl-C interrupts the turn, what was queued comes back, and the chat goes on', () =>
  shown(chat, async (on) => {
    await on.until(/\n> *$/);
    await send(on, 'hang');
    await on.until(/Waiting…/);
    await send(on, 'say later');
    await on.until(/queued: say later/);
    on.press('C-c');
    await on.until(/error cancelled[\s\S]*\n> say later$/);
    on.press('Enter');
    await on.until(/\nlater\n/);
  }),
);

inTmux('a file behind @ goes with the prompt, completed by Tab', () =>
  shown(chat, async (on) => {
    await on.until(/\n> *$/);
    on.type('tell me about @not');
    await on.until(/\n {2}notes\.txt$/);
    on.press('Tab');
    await on.until(/> tell me about @notes\.txt/);
    on.press('Enter');
    await on.until(/the secret word is heron/);
  }),
);

inTmux('earlier prompts come back with Up, also those of another chat', () =>
  shown(`${chat}; true`, async (on) => {
    await on.until(/\n> *$/);
    on.press('Up');
    await on.until(/> tell me about @notes\.txt$/);
    const file = join(home, 'turnout', 'chat-prompts.jsonl');
    assert.is(statSync(file).mode & 0o077, 0);
  }),
);

inTmux('scrollback is never wiped, nothing is lost or doubled, and paragraphs are copied whole', async () => {
  const bytes = join(home, 'bytes');
  const paragraphs = Array.from(
    { length: 40 },
    (_, n) => `P${String(n).padStart(3, '0')} ${'some words of a long paragraph 漢字 🎉 '.repeat(6)}end${n}.`,
  );
  const markers = Array.from({ length: 200 }, (_, n) => `- M${String(n).padStart(4, '0')} item`);
  const answer = [...paragraphs, markers.join('\n'), '```js', 'const last = 1;', '```'].join('\n\n');
  writeFileSync(join(cwd, 'answer.txt'), `say ${answer}`);
  const line = `seq -f SHELL%g 1 60; ${chat}`;
  await shown(line, async (on) => {
    on.record(bytes);
    await on.until(/\n> *$/);
    on.paste(join(cwd, 'answer.txt'));
    await on.until(/\[pasted \d+ lines #1\]/);
    on.press('Enter');
    on.resize(60, 24);
    on.resize(100, 30);
    on.resize(80, 24);
    on.type('kkkkkkkkkk');
    await on.until(/M0199 item[\s\S]*demo · [\s\S]*> k{10}$/, 60_000);
    const whole = on.whole();
    for (const paragraph of paragraphs) {
      assert.is(whole.split(`\n${paragraph.trimEnd()}\n`).length, 2, `copied whole and once: ${paragraph.slice(0, 4)}`);
    }
    for (let n = 0; n < 200; n++) {
      assert.is(whole.split(`\n- M${String(n).padStart(4, '0')} item\n`).length, 2, `once: M${n}`);
    }
    for (let n = 1; n <= 60; n++) assert.match(whole, new RegExp(`^SHELL${n}$`, 'm'));
    const written = readFileSync(bytes, 'latin1');
    assert.is(written.split('\u001b[3J').length - 1, 0);
    assert.is(written.split('\u001b[2J').length - 1, 0);
    assert.is(written.split('\u001b[?1049h').length - 1, 0);
  });
});

inTmux('Ctrl-Z gives the terminal to the shell, fg takes it back; leaving restores it', () =>
  shown(`sh -i`, async (on) => {
    on.type(`${chat}\n`);
    await on.until(/\n> *$/);
    on.press('C-z');
    await on.until(/Stopped|stopped|Suspended/);
    on.type('stty -a | grep -o " icanon"; fg\n');
    await on.until(/ icanon[\s\S]*\n> *$/);
    await send(on, 'say back');
    await on.until(/\nback\n[\s\S]*\n> *$/);
    on.press('C-d');
    await on.until(/continue: .*\n[#$] *$/);
    on.type('stty -a | grep -o " icanon"\n');
    await on.until(/continue: [\s\S]* icanon/);
  }),
);

inTmux('no colour where NO_COLOR says so', () =>
  shown(`NO_COLOR=1 ${chat}`, async (on) => {
    const bytes = join(home, 'plain-bytes');
    await on.until(/\n> *$/);
    on.record(bytes);
    await send(on, 'say **bold**');
    await on.until(/\nbold\n[\s\S]*demo · /);
    assert.equal(
      readFileSync(bytes, 'latin1')
        .split('\u001b[')
        .filter((part) => /^[0-9;]*m/.test(part)),
      [],
    );
  }),
);

inTmux('a dumb terminal gets lines alone, and is told why', () =>
  shown(`TERM=dumb ${chat}`, async (on) => {
    await on.until(/plain mode: lines alone, since TERM is dumb/);
    on.type('ask\n');
    await on.until(/permission required: shell make deploy\nanswer: 1 yes, 2 no, 3 always/);
    on.type('1\n');
    await on.until(/demo: .*allow_once/);
    on.type('/exit\n');
    await on.until(/\[exit 0\]/);
  }),
);

test('plain lines over a pipe: labels, whole blocks, numbered choices, no escape sequence', () => {
  const input = 'say # Title\nthink then shell ls\n/access\n3\n/status\n';
  const ran = runProgram(process.execPath, [program, 'chat', '-r', 'demo', '--plain'], { cwd, env, input });
  assert.is(ran.status, 0);
  assert.match(ran.stdout, /^plain mode: lines alone, since --plain was given\n/);
  assert.match(ran.stdout, /^you: say # Title\ndemo: Title\ndemo · /m);
  assert.match(ran.stdout, /^tool: ✓ shell ls$/m);
  assert.match(ran.stdout, /^Which access\?\n {2}1 scoped\n {2}2 none\n {2}3 read\n/m);
  assert.match(ran.stdout, /^access {3}read$/m);
  assert.not(ran.stdout.includes('\u001b'));
});

test('another runtime is given what was said with the next prompt', () => {
  const said = [
    { who: 'user', text: 'Which colour?' },
    { who: 'claude', text: 'Blue.' },
  ];
  assert.match(
    withHandOver(said, 'Why?'),
    /<conversation>\nuser: Which colour\?\n\nclaude: Blue\.\n<\/conversation>\n\nWhy\?$/,
  );
  const long = Array.from({ length: 100 }, (_, n) => ({ who: 'user', text: `${n} ${'x'.repeat(5000)}` }));
  const handed = withHandOver(long, 'Go on');
  assert.ok(handed.length < 130_000);
  assert.match(handed, /the beginning is left out[\s\S]*user: 99 x/);
});

test('wrong flags are refused before anything begins', () => {
  const ran = runProgram(process.execPath, [program, 'chat', '--quiet'], { cwd, env });
  assert.is(ran.status, 2);
  assert.match(ran.stderr, /unknown flag --quiet/);
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
