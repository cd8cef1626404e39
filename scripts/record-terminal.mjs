// Records what a person sees of run, chat and compare, in tmux, and writes docs/images/NAME.svg.
//
//   node scripts/record-terminal.mjs [NAME…]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svg } from './ansi-svg.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SIZE = { columns: 84, rows: 22 };
const DEAF_MS = 400;

/** What is typed, what is waited for on the screen, and how long a reader needs for it. */
const SCENES = {
  run: {
    title: 'turnout run asks before an edit and shows the change',
    steps: [
      {
        type: 'turnout run -r demo "think then write notes.md # Notes then say Done: **notes.md** is there."\n',
        until: /\[y\]es/,
        ms: 2500,
      },
      { wait: DEAF_MS, type: 'y', until: /session [0-9a-f-]+/, ms: 4000 },
    ],
  },
  chat: {
    title: 'turnout chat: an answer, a change that is allowed, a question, a command',
    steps: [
      { type: 'turnout chat -r demo\n', until: /\n> *$/, ms: 1200 },
      { type: 'say ## Plan\n', until: /\nPlan\n/, ms: 1500 },
      { type: 'write notes.md # Notes\n', until: /\[y\]es/, ms: 2200 },
      { wait: DEAF_MS, type: 'y', until: /I wrote notes\.md/, ms: 1600 },
      { type: 'question Which tests? unit | all\n', until: /answer> *$/, ms: 1800 },
      { type: '2\n', until: /all[\s\S]*demo · [\s\S]*\n> *$/, ms: 1800 },
      { type: '/', until: /\/runtime/, ms: 2500 },
    ],
  },
  compare: {
    title: 'turnout compare: two runtimes, one change landed',
    steps: [
      {
        type: 'turnout compare -r demo,demo --check "test -f notes.md" "write notes.md Hello"\n',
        until: /Land one\?/,
        ms: 3500,
      },
      { type: '1\n', until: /changed notes\.md/, ms: 4000 },
    ],
  },
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function record(name, { title, steps }) {
  const home = mkdtempSync(join(tmpdir(), 'turnout-picture-'));
  const cwd = join(home, 'app');
  const bin = join(home, 'bin');
  for (const folder of [cwd, bin]) mkdirSync(folder);
  symlinkSync(join(root, 'bin', 'turnout.js'), join(bin, 'turnout'));
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, env });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', join(home, 's'), '-f', '/dev/null', '-u', ...args], {
      env: { ...process.env, TMUX: '' },
    }).toString();
  const set = Object.entries(env).map(([key, value]) => `${key}='${value}'`);
  const shell = `cd '${cwd}' && env -i ${set.join(' ')} TERM=tmux-256color PS1='$ ' sh`;
  const frames = [];
  try {
    tmux('new-session', '-d', '-x', String(SIZE.columns), '-y', String(SIZE.rows), shell);
    await pause(500);
    const look = () => tmux('capture-pane', '-p', '-e').replace(/\s+$/, '');
    // A frame a change, as long as a reader needs.
    const take = (ms) => {
      const screen = look();
      const last = frames.at(-1);
      if (last?.screen === screen) last.ms += ms;
      else frames.push({ screen, ms });
    };
    take(600);
    for (const { type, until, ms, wait = 0 } of steps) {
      await pause(wait);
      for (const word of type.replace(/\n$/, '').match(/\S+\s*/g) ?? []) {
        tmux('send-keys', '-l', '--', word);
        await pause(60);
        take(140);
      }
      if (type.endsWith('\n')) tmux('send-keys', 'Enter');
      const end = Date.now() + 30_000;
      while (!until.test(tmux('capture-pane', '-p').trimEnd())) {
        if (Date.now() > end) throw new Error(`${name}: ${until} is not on the screen:\n${tmux('capture-pane', '-p')}`);
        await pause(150);
        take(150);
      }
      take(ms);
    }
  } finally {
    tmux('kill-server');
    rmSync(home, { recursive: true, force: true });
  }
  writeFileSync(join(root, 'docs', 'images', `${name}.svg`), svg(frames, { ...SIZE, title }));
  console.error(`docs/images/${name}.svg: ${frames.length} frames`);
}

const asked = process.argv.slice(2);
for (const [name, scene] of Object.entries(SCENES))
  if (asked.length === 0 || asked.includes(name)) await record(name, scene);
