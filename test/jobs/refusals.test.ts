// limit: 180s
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { placesOf } from '../../src/workspace/paths.js';
import { type Agent, FINDING, HOST, put, refused, type Stage, withJobs } from './stage.js';

/** Writes another text in each turn of a session. */
const maker: Agent = async ({ cwd, prompt, plan }) => {
  put(cwd, 'made.txt', plan.request.resume === null ? 'made\n' : 'made again\n');
  return `did: ${prompt.split('\n')[0]}`;
};

const treeOf = ({ one }: Stage, workspace: string | null): string => placesOf(workspace ?? '', one.env).tree;

test('a verdict before the end, twice, on another revision or on touched files is refused', () =>
  withJobs(maker, async (stage) => {
    const { job_id } = await stage.submit();
    await refused(
      'audit_state_conflict',
      stage.audit({ ...stage.jobs.get(job_id, HOST), revision: '0'.repeat(64) }, 'accept'),
    );
    const job = await stage.until(job_id, 'awaiting_audit');
    await refused('revision_mismatch', stage.audit({ ...job, revision: '0'.repeat(64) }, 'accept'));
    const file = join(treeOf(stage, job.workspace), 'made.txt');
    writeFileSync(file, 'touched\n');
    await refused('revision_mismatch', stage.audit(job, 'accept'));
    writeFileSync(file, 'made\n');
    await stage.audit(job, 'accept');
    await refused('audit_state_conflict', stage.audit(job, 'accept'));
    await refused('audit_state_conflict', stage.audit(job, 'rework'));
  }));

test('requests that are not exactly right are refused before there is a job', () =>
  withJobs(maker, async (stage) => {
    const { one } = stage;
    const cases: [object, string][] = [
      [{ model: 'm' }, 'model'],
      [{ message: '' }, 'message'],
      [{ message: 5 }, 'message'],
      [{ working_dir: join(one.root, 'nowhere') }, 'no such folder'],
      [{ working_dir: join(one.repo, 'new.txt') }, 'not a folder'],
      [{ max_attempts: '3' }, 'max_attempts'],
      [{ max_attempts: 6 }, 'max_attempts'],
      [{ max_rounds: 0 }, 'max_rounds'],
      [{ require_changes: 'yes' }, 'require_changes'],
      [{ resume: true }, 'thread_id'],
      [{ implementer: 'judge' }, 'implementer'],
    ];
    for (const [changes, word] of cases) {
      const whole = { message: 'Make it', working_dir: one.repo, ...changes };
      assert.match((await refused('invalid_request', stage.jobs.submit('k', whole, HOST))).message, word);
    }
    for (const key of [undefined, '', 'a b', '-x', 'x'.repeat(129)])
      await refused('invalid_request', stage.jobs.submit(key, { message: 'Make it', working_dir: one.repo }, HOST));
    assert.equal(stage.jobs.list({ limit: 9 }, HOST), []);
  }));

test('verdicts that are not exactly right are refused without repeating them', () =>
  withJobs(maker, async (stage) => {
    const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
    const audit = (more: object) =>
      stage.jobs.audit(
        job.job_id,
        { implementation_revision_sha256: job.revision, verdict: 'rework', findings: [FINDING], ...more },
        HOST,
      );
    const secret = 'do-not-repeat';
    for (const more of [
      { verdict: 'accept' },
      { findings: [] },
      { verdict: 'reject' },
      { findings: [{ ...FINDING, severity: secret }] },
      { findings: [{ ...FINDING, code: `${secret} ` }] },
      { findings: [{ ...FINDING, message: `a\u0007${secret}` }] },
      { findings: [{ ...FINDING, evidence_ref: `../${secret} ` }] },
      { findings: Array(51).fill(FINDING) },
      { implementation_revision_sha256: 'A'.repeat(64) },
    ])
      assert.not.match((await refused('invalid_request', audit(more))).message, secret);
    assert.is(stage.jobs.get(job.job_id, HOST).state, 'awaiting_audit');
  }));

test('a folder outside of those that were named is denied, also through a link', () =>
  withJobs(
    maker,
    async (stage) => {
      await refused('workspace_denied', stage.submit({ working_dir: '/etc' }));
      await refused('workspace_denied', stage.submit());
    },
    { roots: ['/nowhere'] },
  ));

test('what belongs to another principal is not found, and guests submit nothing', () =>
  withJobs(maker, async (stage) => {
    const other = (kind: 'key' | 'guest') => ({ principal: { name: 'other', kind }, surface: 'test' });
    const { job_id } = await stage.submit();
    await refused('job_not_found', () => stage.jobs.get(job_id, other('key')));
    await refused('job_not_found', () => stage.jobs.get('job_../..', HOST));
    await refused('job_not_found', stage.jobs.cancel(job_id, other('key')));
    assert.equal(stage.jobs.list({ limit: 9 }, other('key')), []);
    await refused(
      'workspace_denied',
      stage.jobs.submit('k', { message: 'x', working_dir: stage.one.repo }, other('guest')),
    );
    const mine = await stage.jobs.submit('k0', { message: 'x', working_dir: stage.one.repo }, other('key'));
    assert.is.not(mine.job.job_id, job_id);
  }));

test('a runtime that can not continue a session, or does not keep edit, can not implement', async () => {
  for (const implementer of ['forgetful', 'judge', 'unknown'])
    await refused(
      'invalid_request',
      withJobs(maker, async () => {}, { implementer }),
    );
});

test.run();
