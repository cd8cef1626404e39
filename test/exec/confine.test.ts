// limit: 120s
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostileScripts } from '../process/confine/hostile.js';
import { canConfine, type Place, place } from '../process/confine/walled.js';

const test = suite('confinement of a turn');
const bin = join(process.cwd(), 'bin', 'turnout.js');

type Said = Record<string, unknown> & { type: string };

/** One turn of the demo runtime in a home of its own. */
function turn(here: Place, prompt: string, flags: readonly string[], env: Record<string, string> = {}) {
  const home = join(here.outside, 'home');
  mkdirSync(home, { recursive: true });
  const argv = [bin, 'agent', 'exec', '--runtime', 'demo', '--cwd', here.cwd, '-p', prompt, ...flags];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  });
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): Said => JSON.parse(line));
  const first = (type: string) => events.find((event) => event.type === type);
  return {
    status,
    stderr,
    first,
    session: String(first('session')?.['session_id']),
    text: JSON.stringify(first('result')),
  };
}

/** Everything below a folder: names and contents. */
function everything(folder: string, but: readonly string[]): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !but.some((one) => name === one || name.startsWith(`${one}/`)))
    .sort()
    .map((name) => {
      try {
        return `${name}: ${readFileSync(join(folder, name), 'utf8')}`;
      } catch {
        return name;
      }
    })
    .join('\n');
}

function at(run: (here: Place) => void): () => void {
  return () => {
    if (!canConfine()) return;
    const here = place();
    try {
      run(here);
    } finally {
      here.remove();
    }
  };
}

test(
  'start says by what the mode is kept',
  at((here) => {
    for (const [flags, by] of [
      [['--access', 'edit'], { by: 'both', os: 'bwrap', network: 'open' }],
      [['--access', 'edit', '--confine', 'none'], { by: 'program', network: 'open' }],
      [['--access', 'read', '--confine', 'os'], { by: 'both', os: 'bwrap', network: 'open' }],
      [['--access', 'full', '--allow-root'], { by: 'none', network: 'open' }],
    ] as const) {
      assert.equal(turn(here, 'say hi', flags).first('start')?.['confinement'], by, flags.join(' '));
    }
  }),
);

test(
  'the variable decides where the request says nothing',
  at((here) => {
    const env = { TURNOUT_CONFINE: 'none' };
    assert.equal(turn(here, 'say hi', [], env).first('start')?.['confinement'], { by: 'program', network: 'open' });
    const asked = turn(here, 'say hi', ['--confine', 'os'], env).first('start')?.['confinement'];
    assert.equal(asked, { by: 'both', os: 'bwrap', network: 'open' });
  }),
);

test(
  'at edit any command runs, and writes in the folder alone; without walls it is refused',
  at((here) => {
    mkdirSync(join(here.outside, 'home', '.ssh'), { recursive: true });
    writeFileSync(join(here.outside, 'home', '.ssh', 'id'), 'a secret');
    const prompt = 'shell echo x > inside; echo x > ../outside.txt; cat ~/.ssh/id';
    const inside = turn(here, prompt, ['--access', 'edit', '--confine', 'os']);
    assert.ok(existsSync(join(here.cwd, 'inside')), inside.text);
    assert.not.ok(existsSync(join(here.outside, 'outside.txt')));
    assert.not.match(inside.text, /a secret/);
    const open = turn(here, prompt, ['--access', 'edit', '--confine', 'none']);
    assert.match(open.text, /not allowed/);
    assert.match(turn(here, prompt, ['--access', 'full', '--allow-root']).text, /a secret/);
  }),
);

test(
  'a session begun inside goes on outside, and inside again',
  at((here) => {
    const first = turn(here, 'say one', ['--confine', 'os']);
    for (const confine of ['none', 'os', 'auto']) {
      const next = turn(here, 'remember', ['--confine', confine, '--resume', first.session]);
      assert.is(next.status, 0, JSON.stringify(next.first('error')));
      assert.is(next.session, first.session);
    }
  }),
);

test(
  'what it writes into its own state, but for sessions, is gone at the end',
  at((here) => {
    const state = '~/.local/state/turnout';
    turn(here, `shell echo x > ${state}/evil; echo x > ~/.bashrc; echo x > inside`, [
      '--access',
      'edit',
      '--confine',
      'os',
    ]);
    const left = readdirSync(join(here.outside, 'home'), { recursive: true, encoding: 'utf8' });
    assert.not.ok(
      left.some((name) => /evil|bashrc/.test(name)),
      left.join(' '),
    );
    assert.ok(
      left.some((name) => /demo\/.+\.json/.test(name)),
      left.join(' '),
    );
  }),
);

test(
  'in a folder that holds the home folder, secrets stay closed and sessions are kept',
  at((here) => {
    const home = join(here.outside, 'home');
    mkdirSync(join(home, '.ssh'), { recursive: true });
    writeFileSync(join(home, '.ssh', 'id'), 'a secret');
    const inside = turn({ ...here, cwd: home }, 'shell cat .ssh/id', ['--access', 'read', '--confine', 'os']);
    assert.not.match(inside.text, /a secret/);
    const again = turn({ ...here, cwd: home }, 'remember', ['--confine', 'os', '--resume', inside.session]);
    assert.is(again.status, 0, JSON.stringify(again.first('error')));
    assert.match(turn({ ...here, cwd: home }, 'shell cat .ssh/id', ['--confine', 'none']).text, /a secret/);
  }),
);

test(
  'folders in which it would hide what it works on are refused',
  at((here) => {
    const secret = join(here.outside, 'home', '.ssh');
    mkdirSync(secret, { recursive: true });
    const refused = turn({ ...here, cwd: secret }, 'say hi', ['--access', 'edit', '--confine', 'os']);
    assert.is(refused.first('error')?.['code'], 'unsafe');
    assert.match(JSON.stringify(refused.first('error')), /choose another --cwd/);
  }),
);

test('full has no walls, and the flags that ask for both are a usage error', () => {
  const here = place();
  try {
    const { status, stderr } = turn(here, 'say hi', ['--access', 'full', '--confine', 'os']);
    assert.is(status, 2);
    assert.match(stderr, /contradicts/);
  } finally {
    here.remove();
  }
});

test(
  'random hostile scripts at edit change nothing outside and leave no process',
  at((here) => {
    writeFileSync(join(here.outside, 'keep'), 'as it was');
    mkdirSync(join(here.outside, 'home'), { recursive: true });
    writeFileSync(join(here.outside, 'home', 'keep'), 'as it was');
    turn(here, 'say hi', []);
    const ours = ['work', 'home/.local/state/turnout/demo'];
    const before = everything(here.outside, ours);
    const seed = Number(process.env['TURNOUT_SEED'] ?? 7);
    for (const words of hostileScripts(Number(process.env['TURNOUT_RUNS'] ?? 15), seed)) {
      const script = `OUT=${here.outside}; ${words}`;
      const done = turn(here, `shell ${script}`, ['--access', 'edit', '--confine', 'os']);
      assert.is(everything(here.outside, ours), before, script);
      const left = spawnSync('pgrep', ['-f', `${here.outside}/late`], { encoding: 'utf8' }).stdout;
      assert.is(left, '', script);
      assert.ok(done.first('done') !== undefined, script);
    }
    // Without walls the same words do change something.
    spawnSync('sh', ['-c', `echo x > ${here.outside}/f`], { cwd: here.cwd });
    assert.is.not(everything(here.outside, ours), before);
  }),
);

test.run();
