// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobRecord, JobState } from '../../src/jobs/job.js';
import { jobsDir, openJobStore } from '../../src/jobs/store.js';
import { type Agent, HOST, put, refused, withJobs } from './stage.js';

const maker: Agent = async ({ cwd }) => {
  put(cwd, 'made.txt', 'made\n');
  return 'done';
};
const DEAD = 'w_00000000-0000-4000-8000-000000000000';

/** A job as a process would leave it that died in this state. */
async function leftIn(state: JobState, job: JobRecord, env: NodeJS.ProcessEnv): Promise<void> {
  const store = await openJobStore(jobsDir(env));
  store.change(job.job_id, (one) => Object.assign(one, { state, worker: state.endsWith('queued') ? null : DEAD }));
  store.close();
}

for (const state of ['running', 'checking', 'rework_running', 'rework_checking'] as const)
  test(`a process that died while a job was ${state}: the job failed with service_restarted, and its change can be read`, () =>
    withJobs(maker, async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      await leftIn(state, job, stage.one.env);
      const { jobs } = await stage.another(maker);
      const found = jobs.get(job.job_id, HOST);
      assert.equal([found.state, found.failure?.code, found.failure?.retryable], ['failed', 'service_restarted', true]);
      assert.match(Buffer.from((await jobs.patch(job.job_id, HOST)) ?? []).toString(), '+made');
      await refused('audit_state_conflict', stage.audit(job, 'accept'));
    }));

test('a job that was queued begins in the next process, a queued rework too', () =>
  withJobs(maker, async (stage) => {
    const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
    await stage.audit(job, 'rework');
    const again = await stage.until(job.job_id, 'awaiting_audit');
    for (const state of ['rework_queued', 'queued'] as const) {
      await leftIn(state, again, stage.one.env);
      const { jobs } = await stage.another(maker);
      await jobs.idle();
      assert.is(jobs.get(job.job_id, HOST).state, 'awaiting_audit');
    }
  }));

test('what waits for an audit, is accepted or landed is the same in the next process', () =>
  withJobs(maker, async (stage) => {
    const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
    assert.equal((await stage.another(maker)).jobs.get(job.job_id, HOST), job);
    const accepted = await stage.audit(job, 'accept');
    const receipt = stage.jobs.receipt(job.job_id, HOST);
    const { jobs } = await stage.another(maker);
    assert.equal(jobs.get(job.job_id, HOST), accepted);
    assert.is(jobs.receipt(job.job_id, HOST), receipt);
    const landed = await jobs.land(job.job_id, { form: 'apply' }, HOST);
    assert.equal((await stage.another(maker)).jobs.get(job.job_id, HOST), landed);
  }));

test('a landing that was cut short can be done again', () =>
  withJobs(maker, async (stage) => {
    const job = await stage.audit(await stage.until((await stage.submit()).job_id, 'awaiting_audit'), 'accept');
    await leftIn('landing', job, stage.one.env);
    const { jobs } = await stage.another(maker);
    const found = jobs.get(job.job_id, HOST);
    assert.is(found.state, 'accepted');
    assert.match(found.audit_note ?? '', 'cut short');
    assert.is((await jobs.land(job.job_id, { form: 'apply' }, HOST)).state, 'landed');
  }));

test('a job that another process works on is left alone, and can be cancelled from here', () => {
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const waits: Agent = ({ cwd, cancelled }) =>
    new Promise((resolve) => {
      put(cwd, 'made.txt', 'half\n');
      begin();
      cancelled.addEventListener('abort', () => resolve('stopped'));
    });
  return withJobs(waits, async (stage) => {
    const { job_id } = await stage.submit();
    await begun;
    const { jobs } = await stage.another(maker);
    assert.is(jobs.get(job_id, HOST).state, 'running');
    await jobs.cancel(job_id, HOST);
    // The process that works on it hears of it and ends the turn.
    await stage.jobs.idle();
    assert.is(stage.jobs.get(job_id, HOST).state, 'cancelled');
  });
});

test.run();
