// limit: 120s
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Agent, FINDING, HOST, put, refused, type Said, withJobs } from './stage.js';

/** The implementer writes, the judge says what it was told to say, one answer a turn. */
function pair(...answers: Said[]): {
  agent: Agent;
  judged: { cwd: string; access: string; resume: string | null; saw: string }[];
} {
  const judged: { cwd: string; access: string; resume: string | null; saw: string }[] = [];
  return {
    judged,
    async agent({ plan, cwd, prompt }) {
      const { runtime, access, resume } = plan.request;
      if (runtime === 'judge') {
        judged.push({ cwd, access, resume, saw: prompt + readFileSync(join(cwd, 'made.txt'), 'utf8') });
        return answers.shift() ?? 'nothing';
      }
      put(cwd, 'made.txt', resume === null ? 'made\n' : 'made again\n');
      return 'done';
    },
  };
}

const settings = { auditor: 'judge' };

test('another runtime judges a copy of the revision in a session of its own, for reading; its accept counts', () => {
  const { agent, judged } = pair(JSON.stringify({ verdict: 'accept', findings: [] }));
  return withJobs(
    agent,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'accepted');
      assert.equal([judged[0]?.access, judged[0]?.resume], ['read', null]);
      assert.match(judged[0]?.saw ?? '', /\+made[\s\S]*made\n$/);
      assert.is.not(judged[0]?.cwd, stage.one.repo);
      assert.equal(
        job.audits.map(({ by, verdict }) => [by, verdict]),
        [['judge', 'accept']],
      );
      assert.match(stage.jobs.receipt(job.job_id, HOST), 'payload');
    },
    settings,
  );
});

test('its rework goes back to the implementer, and its next verdict is about what came of that', () => {
  const rework = JSON.stringify({ verdict: 'rework', findings: [FINDING] });
  const { agent, judged } = pair(rework, JSON.stringify({ verdict: 'accept', findings: [] }));
  return withJobs(
    agent,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'accepted');
      assert.equal([job.rework_count, judged.length], [1, 2]);
      assert.match(judged[1]?.saw ?? '', 'made again');
    },
    settings,
  );
});

test('an auditor that fails, says nothing valid, or contradicts itself never accepts: the job waits for a host', async () => {
  const answers: Said[] = [
    { fails: 'auth' },
    'Looks good to me!',
    '{"verdict":"accept"}',
    JSON.stringify({ verdict: 'accept', findings: [FINDING] }),
    JSON.stringify({ verdict: 'rework', findings: [] }),
    JSON.stringify({ verdict: 'accept', findings: [], implementation_revision_sha256: '0'.repeat(64), landable: true }),
  ];
  for (const answer of answers)
    await withJobs(
      pair(answer).agent,
      async (stage) => {
        const { job_id } = await stage.submit();
        await stage.jobs.idle();
        const job = stage.jobs.get(job_id, HOST);
        assert.is(job.state, 'awaiting_audit', JSON.stringify(answer));
        assert.match(job.audit_note ?? '', 'no verdict');
        assert.equal(job.audits, []);
        await refused('job_state_conflict', stage.jobs.land(job_id, { form: 'apply' }, HOST));
        assert.is((await stage.audit(job, 'accept')).state, 'accepted');
      },
      settings,
    );
});

test('a revision that changes while it is judged is not accepted', () => {
  const verdict = JSON.stringify({ verdict: 'accept', findings: [] });
  let implementer = '';
  return withJobs(
    async ({ plan, cwd }) => {
      if (plan.request.runtime === 'judge') {
        writeFileSync(join(implementer, 'made.txt'), 'something else\n');
        return verdict;
      }
      implementer = cwd;
      put(cwd, 'made.txt', 'made\n');
      return 'done';
    },
    async (stage) => {
      const { job_id } = await stage.submit();
      await stage.jobs.idle();
      assert.is(stage.jobs.get(job_id, HOST).state, 'awaiting_audit');
    },
    settings,
  );
});

test('a runtime that would audit its own work is named when the service starts', async () => {
  const complaint = await withJobs(
    async () => 'done',
    async () => {},
    { auditor: 'maker' },
  ).then(
    () => 'none',
    (error: Error) => error.message,
  );
  assert.match(complaint, /maker audits its own work/);
});

test.run();
