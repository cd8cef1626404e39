// limit: 180s
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRecords, placesOf } from '../../src/workspace/paths.js';
import { type Agent, HOST, put, refused, type Stage, withJobs } from './stage.js';

/** Writes another text in each turn of a session. */
const maker: Agent = async ({ cwd, prompt, plan }) => {
  put(cwd, 'made.txt', plan.request.resume === null ? 'made\n' : 'made again\n');
  return `did: ${prompt.split('\n')[0]}`;
};

const treeOf = ({ one }: Stage, workspace: string | null): string => placesOf(workspace ?? '', one.env).tree;

test('a job waits for its audit with a revision, and nothing of the user has changed', () =>
  withJobs(maker, async (stage) => {
    const before = stage.one.fingerprint();
    const { job_id, state } = await stage.submit();
    assert.is(state, 'queued');
    const job = await stage.until(job_id, 'awaiting_audit');
    assert.match(job.revision ?? '', /^[0-9a-f]{64}$/);
    assert.equal(
      job.files.map(({ path, status }) => [path, status]),
      [['made.txt', 'added']],
    );
    assert.is(job.text, 'did: Make it');
    assert.is(job.runtime?.version, '1.2.3');
    assert.equal(job.usage, { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 });
    assert.equal(
      job.rounds[0]?.checks.map(({ name, passed, exit_code }) => [name, passed, exit_code]),
      [['unit', true, 0]],
    );
    const after = stage.one.fingerprint();
    // The base of the copy is the one ref that a copy needs.
    assert.equal({ ...after, refs: '' }, { ...before, refs: '' });
  }));

test('accept makes it landable, and landing is a separate act that merges with what the user did meanwhile', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit();
    const accepted = await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'accept');
    assert.is(accepted.state, 'accepted');
    assert.not.ok(existsSync(join(stage.one.repo, 'made.txt')));
    stage.one.write('src/b.txt', 'edited meanwhile\n');
    const landed = await stage.jobs.land(job_id, { form: 'apply' }, HOST);
    assert.is(landed.state, 'landed');
    assert.equal(landed.landed?.files, ['made.txt']);
    assert.is(stage.one.read('made.txt'), 'made\n');
    assert.is(stage.one.read('src/b.txt'), 'edited meanwhile\n');
    assert.not.ok(existsSync(treeOf(stage, landed.workspace)));
    await refused('job_state_conflict', stage.jobs.land(job_id, { form: 'apply' }, HOST));
  }));

test('a landing that conflicts touches nothing, names the files, and can be tried again', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit();
    await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'accept');
    stage.one.write('made.txt', 'by the user\n');
    const error = await refused('land_conflict', stage.jobs.land(job_id, { form: 'apply' }, HOST));
    assert.equal(error.details, { paths: ['made.txt'] });
    assert.is(stage.one.read('made.txt'), 'by the user\n');
    assert.is(stage.jobs.get(job_id, HOST).state, 'accepted');
    stage.one.git('clean', '-qf', 'made.txt');
    assert.is((await stage.jobs.land(job_id, { form: 'apply' }, HOST)).state, 'landed');
  }));

test('a commit that lands carries the run, the job and the revision', () =>
  withJobs(maker, async (stage) => {
    stage.one.git('add', '-A');
    stage.one.git('commit', '--quiet', '-m', 'clean');
    const { job_id } = await stage.submit();
    const job = await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'accept');
    const landed = await stage.jobs.land(job_id, { form: 'commit' }, HOST);
    const message = stage.one.git('log', '-1', '--format=%H%n%B');
    assert.match(message, `${landed.landed?.made}\nMake it\n`);
    assert.match(message, `Agent-Run: ${job.rounds[0]?.run_id}\n`);
    assert.match(message, `Agent-Job: ${job_id}\n`);
    assert.match(message, `Agent-Revision: sha256:${job.revision}\n`);
  }));

test('a rework goes on in the same session and the same copy, with the findings', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit();
    const first = await stage.until(job_id, 'awaiting_audit');
    assert.is((await stage.audit(first, 'rework')).state, 'rework_queued');
    const second = await stage.until(job_id, 'awaiting_audit');
    assert.is(second.session, first.session);
    assert.is(second.workspace, first.workspace);
    assert.is.not(second.revision, first.revision);
    assert.is(second.rework_count, 1);
    const turns = await stage.core.runs.list({ limit: 9 }, HOST);
    assert.match(turns[0]?.prompt ?? '', '1. [minor] missing.doc: Add a comment (see made.txt:1)');
    assert.match(turns[0]?.prompt ?? '', /The task was:\nMake it$/);
    await refused('revision_mismatch', stage.audit(first, 'accept'));
    assert.is((await stage.audit(second, 'accept')).state, 'accepted');
  }));

test('a rework past the limit is refused and the job waits on; or it fails, where that was chosen', async () => {
  await withJobs(
    maker,
    async (stage) => {
      const { job_id } = await stage.submit();
      await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'rework');
      const second = await stage.until(job_id, 'awaiting_audit');
      await refused('rework_limit_reached', stage.audit(second, 'rework'));
      assert.equal(stage.jobs.get(job_id, HOST), second);
      assert.is((await stage.audit(second, 'accept')).state, 'accepted');
    },
    { maxRework: 1 },
  );
  await withJobs(
    maker,
    async (stage) => {
      const { job_id } = await stage.submit();
      await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'rework');
      const second = await stage.until(job_id, 'awaiting_audit');
      await refused('rework_limit_reached', stage.audit(second, 'rework'));
      const { state, failure, audits } = stage.jobs.get(job_id, HOST);
      assert.equal([state, failure?.code, audits.length], ['failed', 'rework_limit_reached', 2]);
      await refused('audit_state_conflict', stage.audit(second, 'accept'));
    },
    { maxRework: 1, reworkLimit: 'fail' },
  );
});

test('what was touched after the accept does not land', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit();
    const job = await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'accept');
    writeFileSync(join(treeOf(stage, job.workspace), 'made.txt'), 'slipped in\n');
    await refused('revision_mismatch', stage.jobs.land(job_id, { form: 'apply' }, HOST));
    assert.not.ok(existsSync(join(stage.one.repo, 'made.txt')));
  }));

test('the same key with the same request is the same job; with another request a conflict; also in another process', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit({}, 'key');
    assert.is((await stage.submit({}, 'key')).job_id, job_id);
    await refused('idempotency_conflict', stage.submit({ message: 'Something else' }, 'key'));
    await stage.until(job_id, 'awaiting_audit');
    const { jobs } = await stage.another(maker);
    const again = await jobs.submit('key', { message: 'Make it', working_dir: stage.one.repo }, HOST);
    assert.equal([again.replayed, again.job.job_id, again.job.state], [true, job_id, 'awaiting_audit']);
    const one = await Promise.all([stage.submit({}, 'twin'), stage.submit({}, 'twin')]);
    assert.is(one[0]?.job_id, one[1]?.job_id);
  }));

test('a turn that changes nothing, fails, or ends in another session fails the job with its code', async () => {
  const cases: [Agent, string, boolean][] = [
    [async () => 'nothing to do', 'no_changes', true],
    [async () => ({ fails: 'auth' }), 'auth', false],
    [async () => ({ fails: 'rate-limited' }), 'rate_limited', true],
    [async () => ({ fails: 'runner-error' }), 'service_execution_failed', true],
  ];
  for (const [agent, code, retryable] of cases)
    await withJobs(agent, async (stage) => {
      const { job_id } = await stage.submit();
      await stage.jobs.idle();
      const { state, failure } = stage.jobs.get(job_id, HOST);
      assert.equal([state, failure?.code, failure?.retryable], ['failed', code, retryable]);
    });
  let turn = 0;
  const wanders: Agent = async ({ cwd }) => {
    put(cwd, 'made.txt', `${turn++}\n`);
    return { session: `s${turn}` };
  };
  await withJobs(wanders, async (stage) => {
    const { job_id } = await stage.submit();
    await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'rework');
    await stage.jobs.idle();
    assert.is(stage.jobs.get(job_id, HOST).failure?.code, 'session_binding_failed');
  });
});

test('a job that is cancelled ends, its turn too, and its copy stays until it is discarded', () => {
  let stopped = false;
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const waits: Agent = ({ cwd, cancelled }) =>
    new Promise((resolve) => {
      put(cwd, 'made.txt', 'half\n');
      begin();
      cancelled.addEventListener('abort', () => {
        stopped = true;
        resolve('stopped');
      });
    });
  return withJobs(waits, async (stage) => {
    const { job_id } = await stage.submit();
    await begun;
    const job = await stage.jobs.cancel(job_id, HOST);
    assert.is(job.state, 'cancelled');
    assert.ok(stopped);
    await refused('job_state_conflict', stage.jobs.cancel(job_id, HOST));
    assert.ok(existsSync(treeOf(stage, job.workspace)));
    await stage.jobs.discard(job_id, HOST);
    assert.not.ok(existsSync(treeOf(stage, job.workspace)));
    assert.equal(
      (await allRecords(stage.one.env)).map(({ state }) => state),
      ['discarded'],
    );
  });
});

test('twenty jobs work on one repository at once, and all of them land', () => {
  const each: Agent = async ({ cwd, prompt }) => {
    put(cwd, `${prompt}.txt`, `${prompt}\n`);
    return 'done';
  };
  return withJobs(
    each,
    async (stage) => {
      const jobs = await Promise.all(Array.from({ length: 20 }, (_, n) => stage.submit({ message: `f${n}` })));
      for (const { job_id } of jobs) await stage.audit(await stage.until(job_id, 'awaiting_audit'), 'accept');
      for (const { job_id } of jobs) await stage.jobs.land(job_id, { form: 'apply' }, HOST);
      for (let n = 0; n < 20; n++) assert.is(readFileSync(join(stage.one.repo, `f${n}.txt`), 'utf8'), `f${n}\n`);
    },
    { workers: 8 },
  );
});

test('when the copies take more than the quota, new jobs are refused and nothing is deleted', () =>
  withJobs(
    maker,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      await refused('service_busy', stage.submit());
      assert.ok(existsSync(treeOf(stage, job.workspace)));
      await stage.jobs.cancel(job.job_id, HOST);
      await stage.jobs.discard(job.job_id, HOST);
    },
    { quotaBytes: 1 },
  ));

test.run();
