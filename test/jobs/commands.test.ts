// limit: 180s
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaNode } from 'execa';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { obj, parseObject, str } from '../../src/text/json.js';
import { type User, withUser } from '../workspace/lay-out.js';
import { CONTRACT } from './stage.js';

const BIN = join(process.cwd(), 'bin/turnout.js');

const turnout = (one: User, ...args: string[]) =>
  execaNode(BIN, args, { cwd: one.repo, env: { ...one.env, NODE_EXTRA_CA_CERTS: '' }, reject: false, stdin: 'ignore' });

const submit = (one: User, ...more: string[]) =>
  turnout(one, 'jobs', 'submit', '--implementer', 'demo', '--prompt', 'write made.txt hello', '--json', ...more);

test('submit, audit, land and verify from the command line', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('grep -q hello made.txt'));
    one.git('add', '-A');
    one.git('commit', '--quiet', '-m', 'clean');
    const submitted = await submit(one, '--key', 'k1');
    assert.is(submitted.exitCode, 0, submitted.stderr);
    assert.match(submitted.stderr, /job_[0-9a-f]{24} running\n[\s\S]*awaiting_audit/);
    const job = obj(parseObject(submitted.stdout), 'job');
    const id = str(job, 'job_id') ?? '';
    const revision = str(job, 'implementation_revision_sha256') ?? '';
    assert.is(str(obj(parseObject((await submit(one, '--key', 'k1')).stdout), 'job'), 'job_id'), id);
    assert.match((await turnout(one, 'jobs')).stdout, `${id}  awaiting_audit  demo  write made.txt hello`);
    assert.match((await turnout(one, 'jobs', 'get', id, '--patch')).stdout, '+hello');
    assert.is((await turnout(one, 'jobs', 'land', id)).exitCode, 2);
    const wrong = await turnout(one, 'jobs', 'audit', id, '--revision', '0'.repeat(64), '--accept');
    assert.equal([wrong.exitCode, /revision_mismatch/.test(wrong.stderr)], [1, true]);
    const rework = await turnout(
      one,
      'jobs',
      'audit',
      id,
      '--revision',
      revision,
      '--rework',
      '--finding',
      'too.short minor More, please',
    );
    assert.is(rework.exitCode, 0, rework.stderr);
    assert.match(rework.stdout, 'awaiting_audit');
    const accepted = await turnout(one, 'jobs', 'audit', id.slice(0, 12), '--revision', revision, '--accept');
    assert.match(accepted.stdout, `turnout jobs land ${id}`);
    const landed = await turnout(one, 'jobs', 'land', id, '--as', 'commit');
    assert.is(landed.exitCode, 0, landed.stderr);
    assert.is(one.read('made.txt'), 'hello');
    const verified = await turnout(one, 'verify', 'HEAD');
    assert.equal(
      [verified.exitCode, verified.stdout],
      [0, `verified: job ${id}, revision ${revision}, key ${verified.stdout.slice(-16)}`],
    );
    const receipt = (await turnout(one, 'jobs', 'get', id, '--receipt')).stdout;
    writeFileSync(join(one.root, 'receipt.json'), receipt);
    assert.is((await turnout(one, 'verify', join(one.root, 'receipt.json'))).exitCode, 0);
    writeFileSync(join(one.root, 'receipt.json'), receipt.replace('"payload":"e', '"payload":"f'));
    assert.match((await turnout(one, 'verify', join(one.root, 'receipt.json'))).stderr, 'not verified');
    // The same files under another message and parent are believed; other files are not.
    one.git('commit', '--quiet', '--amend', '-m', one.git('log', '-1', '--format=%B').replace('write', 'Write'));
    assert.is((await turnout(one, 'verify', 'HEAD')).exitCode, 0);
    one.write('made.txt', 'something else\n');
    one.git('commit', '--quiet', '-a', '--amend', '--no-edit');
    const other = await turnout(one, 'verify', 'HEAD');
    assert.equal([other.exitCode, /not the ones that were accepted/.test(other.stderr)], [1, true]);
  }));

test('wrong calls are refused with what to do, and an implementer decides nothing about jobs', () =>
  withUser(async (one) => {
    const missing = await submit(one);
    assert.equal([missing.exitCode, /verification_required[\s\S]*coding.yaml/.test(missing.stderr)], [2, true]);
    const unfit = await turnout(one, 'jobs', 'submit', '--implementer', 'amp', '--prompt', 'x');
    assert.is(unfit.exitCode, 2, unfit.stderr);
    assert.match((await turnout(one, 'jobs', 'get', 'job_none')).stderr, 'job_not_found');
    const inside = { ...one, env: { ...one.env, TURNOUT_JOB: 'job_x' } };
    for (const args of [
      ['audit', 'x', '--revision', 'y', '--accept'],
      ['land', 'x'],
      ['cancel', 'x'],
    ])
      assert.match((await turnout(inside, 'jobs', ...args)).stderr, 'a job can not decide about jobs');
    assert.equal([(await turnout(one, 'verify', 'nothing-here')).exitCode], [2]);
  }));

test('a command that is killed while it works leaves a job that failed with service_restarted', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('true'));
    const env = { ...one.env, NODE_EXTRA_CA_CERTS: '' };
    const child = execaNode(
      BIN,
      ['jobs', 'submit', '--implementer', 'demo', '--prompt', 'write made.txt hello then hang'],
      { cwd: one.repo, env, reject: false, stdin: 'ignore', stdout: 'ignore' },
    );
    await new Promise<void>((resolve) => {
      let told = '';
      child.stderr?.on('data', (text) => {
        told += String(text);
        if (/ running\n/.test(told)) resolve();
      });
    });
    child.kill('SIGKILL');
    await child;
    const { jobs } = JSON.parse((await turnout(one, 'jobs', 'list', '--json')).stdout);
    assert.equal([jobs.length, jobs[0].state, jobs[0].failure_code], [1, 'failed', 'service_restarted']);
  }));

test.run();
