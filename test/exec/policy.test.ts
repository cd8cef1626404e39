// limit: 120s
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canConfine } from '../process/confine/walled.js';

const test = suite('policy of a turn');
const bin = join(process.cwd(), 'bin', 'turnout.js');

interface Here {
  home: string;
  cwd: string;
  policy(value: unknown): string;
  turnout(argv: readonly string[]): { status: number | null; stdout: string; stderr: string };
  turn(prompt: string, flags: readonly string[]): { events: Said[]; text: string; code: number | null };
  env: NodeJS.ProcessEnv;
}
type Said = Record<string, unknown> & { type: string };

const linesOf = (text: string): Said[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): Said => JSON.parse(line));

function at(run: (here: Here) => void | Promise<void>) {
  return async () => {
    const folder = realpathSync(mkdtempSync(join(homedir(), '.turnout-test-')));
    const [home, cwd] = [join(folder, 'home'), join(folder, 'work')];
    mkdirSync(home);
    mkdirSync(cwd);
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, TURNOUT_CONFINE: 'none' };
    const turnout: Here['turnout'] = (argv) =>
      spawnSync(process.execPath, [bin, ...argv], { cwd, env, encoding: 'utf8', timeout: 30_000 });
    try {
      await run({
        home,
        cwd,
        env,
        turnout,
        policy(value) {
          const path = join(folder, 'policy.json');
          writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
          return path;
        },
        turn(prompt, flags) {
          const { stdout, status } = turnout(['agent', 'exec', '--runtime', 'demo', '-p', prompt, ...flags]);
          const events = linesOf(stdout);
          return { events, code: status, text: JSON.stringify(events.find((event) => event.type === 'result')) };
        },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

test(
  'a rule lets a command run that the mode would not, and forbids one that it would',
  at(({ turn, policy, cwd }) => {
    const path = policy({
      rules: [
        { decision: 'deny', command: 'cat' },
        { decision: 'allow', command: 'touch' },
      ],
    });
    writeFileSync(join(cwd, 'seen'), 'its text');
    turn('shell touch made', ['--policy', path]);
    assert.ok(existsSync(join(cwd, 'made')));
    assert.match(turn('shell cat seen', []).text, /its text/);
    const denied = turn('shell cat seen', ['--policy', path]);
    assert.not.match(denied.text, /its text/);
    assert.match(JSON.stringify(denied.events), /rule 1 of the policy/);
    turn('shell touch other; cat seen', ['--policy', path]);
    assert.not.ok(existsSync(join(cwd, 'other')));
  }),
);

test(
  'no rule widens a mode that is a guarantee',
  at(({ turn, policy, cwd }) => {
    const path = policy({ rules: [], default: 'allow' });
    turn('shell touch made', ['--policy', path, '--access', 'read']);
    assert.not.ok(existsSync(join(cwd, 'made')));
  }),
);

test(
  'an answer for ever is kept with who, when and what, and holds for the same question alone',
  at(async ({ policy, cwd, env, home }) => {
    const path = policy({ rules: [{ decision: 'ask', kind: 'shell' }] });
    const asked = (prompt: string, answer: object | null) =>
      new Promise<Said[]>((resolve) => {
        const flags = ['--policy', path, '--approvals', 'stdio'];
        const child = spawn(process.execPath, [bin, 'agent', 'exec', '--runtime', 'demo', '-p', prompt, ...flags], {
          cwd,
          env,
        });
        let out = '';
        let answered = false;
        child.stdout.on('data', (chunk) => {
          out += chunk;
          const question = linesOf(out.slice(0, out.lastIndexOf('\n') + 1)).find(
            (event) => event.type === 'permission_request',
          );
          if (question === undefined || answered) return;
          answered = true;
          child.stdin.write(
            `${JSON.stringify({ type: 'permission_result', id: question['id'], choice: 'deny', ...answer })}\n`,
          );
        });
        child.on('close', () => resolve(linesOf(out)));
      });
    const has = (events: Said[]) => events.some((event) => event.type === 'permission_request');
    assert.ok(has(await asked('shell touch made', { choice: 'allow_once', always: true })));
    assert.ok(existsSync(join(cwd, 'made')));
    rmSync(join(cwd, 'made'));
    assert.not.ok(has(await asked('shell touch made', null)));
    assert.ok(existsSync(join(cwd, 'made')));
    assert.ok(has(await asked('shell touch other', null)));
    assert.not.ok(existsSync(join(cwd, 'other')));
    const [kept] = linesOf(readFileSync(join(home, '.local/state/turnout/policy-answers.ndjson'), 'utf8'));
    assert.is(kept?.['what'], 'touch made');
    assert.is(kept?.['decision'], 'allow');
    assert.type(kept?.['by'], 'string');
    assert.ok(Date.parse(String(kept?.['ts'])) > 0);
  }),
);

test(
  'every decision is in the log, with the rule and without secrets',
  at(({ turn, policy, turnout }) => {
    const path = policy({ rules: [{ decision: 'deny', command: 'curl' }] });
    turn('shell curl -H sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789', ['--policy', path]);
    turn('shell ls', ['--policy', path]);
    const lines = linesOf(turnout(['policy', 'log', '--json']).stdout);
    assert.equal(
      lines.map((line) => [line['decision'], line['by'], line['rule']]),
      [
        ['deny', 'rule', 1],
        ['allow', 'mode', null],
      ],
    );
    assert.not.match(JSON.stringify(lines), /abcdefghijklm/);
    assert.match(turnout(['policy', 'log', '--last', '1']).stdout, /allow\s+mode\s+demo\s+shell\s+ls/);
  }),
);

test(
  'a check names the rule, and says by its exit code what is decided',
  at(({ policy, turnout }) => {
    const path = policy({
      rules: [
        { decision: 'allow', command: 'npm test' },
        { decision: 'deny', path: '**/.env' },
      ],
      default: 'ask',
    });
    const check = (kind: string, input: object) =>
      turnout(['policy', 'check', path, '--kind', kind, '--input', JSON.stringify(input)]);
    assert.equal(
      [check('shell', { command: 'npm test' }).status, check('write', { file_path: 'a/.env' }).status],
      [0, 1],
    );
    assert.match(check('shell', { command: 'npm test' }).stdout, /^allow: rule 1: \{"decision":"allow"/);
    assert.is(check('web', { url: 'https://x.org' }).status, 3);
    assert.match(check('shell', { command: 'npm test; id' }).stdout, /Its part `id` decided/);
  }),
);

test(
  'a file that says something else than it means is refused before anything is spawned',
  at(({ policy, turnout }) => {
    for (const [value, words] of [
      ['{', /not valid JSON/],
      [{ rules: [{ decision: 'deny', comand: 'rm' }] }, /rules\[0\]\.comand/],
      [{ rules: [{ decision: 'never' }] }, /rules\[0\]\.decision/],
      [{ rules: [{ decision: 'deny', path: [] }] }, /rules\[0\]\.path/],
      [{}, /rules/],
    ] as const) {
      const { status, stdout, stderr } = turnout([
        'agent',
        'exec',
        '--runtime',
        'demo',
        '-p',
        'x',
        '--policy',
        policy(value),
      ]);
      assert.equal([status, stdout], [2, '']);
      assert.match(stderr, words);
    }
  }),
);

test(
  'a runtime that asks nothing is refused, unless walls keep what the rules forbid',
  at(({ policy, cwd, turnout, turn }) => {
    const path = policy({ rules: [{ decision: 'deny', command: 'rm' }] });
    const refused = turn('say hi', ['--policy', path, '--access', 'full', '--allow-root']);
    assert.is(refused.code, 2);
    assert.match(JSON.stringify(refused.events), /asks no permission questions at --access full.*rule 1/);
    if (!canConfine()) return;
    writeFileSync(join(cwd, 'secret'), 'its text');
    writeFileSync(join(cwd, 'fixed'), 'as it was');
    const walled = policy({
      rules: [
        { decision: 'deny', path: 'secret' },
        { decision: 'deny', kind: 'write', path: 'fixed' },
      ],
    });
    const flags = ['--policy', walled, '--access', 'edit', '--confine', 'os'];
    turn('shell cat secret > copied; echo x > fixed; echo x > free', flags);
    assert.is(readFileSync(join(cwd, 'fixed'), 'utf8'), 'as it was');
    const copied = join(cwd, 'copied');
    assert.not.match(existsSync(copied) ? readFileSync(copied, 'utf8') : '', /its text/);
    assert.is(turnout(['--version']).status, 0);
  }),
);

test.run();
