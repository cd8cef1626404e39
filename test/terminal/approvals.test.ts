// limit: 120s

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../contract/cli.js';
import { hasTmux, read, type Screen, screen, terminalEnv } from './tmux.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-asks-'));
const env = terminalEnv(home);
const turnout = `${process.execPath} ${resolve(TURNOUT)}`;
const inTmux = hasTmux ? test : test.skip;

async function shown(command: string, act: (on: Screen) => Promise<void>): Promise<void> {
  const on = screen(command, { env, cwd: home });
  try {
    await act(on);
  } finally {
    on.close();
  }
}

inTmux('y lets a command run once', () =>
  shown(`${turnout} run -r demo ask`, async (on) => {
    await on.until(/\? shell make deploy\n {2}\[y\]es {2}\[n\]o {2}\[a\]lways/);
    await read();
    on.press('y');
    const seen = await on.until(/\[exit 0\]/);
    assert.match(seen, /^ {2}yes$/m);
    assert.match(seen, /allow_once/);
  }),
);

inTmux('n denies, and other keys answer nothing', () =>
  shown(`${turnout} run -r demo ask`, async (on) => {
    await on.until(/\[y\]es/);
    await read();
    on.press('x', 'Enter', 'n');
    const seen = await on.until(/\[exit 0\]/);
    assert.match(seen, /^ {2}no$/m);
    assert.match(seen, /deny/);
  }),
);

inTmux('a change is shown before it is allowed, with a pipe on stdin, too', () =>
  shown(`echo more | ${turnout} run -r demo 'write notes.txt - one'`, async (on) => {
    const seen = await on.until(/\[y\]es/);
    assert.match(seen, /\? write notes\.txt \+5 -0\n {2}\+ - one/);
    await read();
    on.press('a');
    await on.until(/always, for this turn[\s\S]*\[exit 0\]/);
  }),
);

inTmux('Ctrl-C at a question ends the turn and leaves the terminal as it was', () =>
  shown(`${turnout} run -r demo ask; stty -a | grep -o ' icanon'`, async (on) => {
    await on.until(/\[y\]es/);
    on.press('C-c');
    await on.until(/error cancelled[\s\S]* icanon[\s\S]*\[exit 0\]/);
  }),
);

inTmux('what was typed before the question was there does not answer it', () =>
  shown(`${turnout} run -r demo 'slow 5 then ask'`, async (on) => {
    on.type('yyy');
    await on.until(/\[y\]es/);
    await read();
    on.press('n');
    assert.match(await on.until(/\[exit 0\]/), /^ {2}no$/m);
  }),
);

inTmux('--approvals deny asks nothing', () =>
  shown(`${turnout} run -r demo --approvals deny ask`, async (on) => {
    assert.not.match(await on.until(/\[exit 0\]/), /\[y\]es/);
  }),
);

inTmux('a question of the agent is answered by a line, a secret one unseen', () =>
  shown(`${turnout} run -r demo 'question Which colour? red | green then question secret Which word?'`, async (on) => {
    await on.until(/\? Which colour\?\n {2}1 red\n {2}2 green\n[\s\S]*answer> *$/);
    on.type('2');
    on.press('Enter');
    await on.until(/\? Which word\?[\s\S]*answer> *$/);
    on.type('hush');
    on.press('Enter');
    const seen = await on.until(/\[exit 0\]/);
    assert.match(seen, /green/);
    assert.not.match(seen, /answer> hush/);
  }),
);

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
