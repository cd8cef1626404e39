// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { arr, at, str } from '../../src/text/json.js';
import { place, run } from '../contract/cli.js';
import { type User, withUser } from '../workspace/lay-out.js';
import { CONTRACT, FINDING } from './stage.js';

interface Ops {
  /** The line that answers one request, and how its answer ended. */
  ask(request: JsonObject): Promise<{ line: JsonObject; code: unknown }>;
  end(): Promise<number | null>;
}

function served(one: User, flags: readonly string[]): Ops {
  const server = run(['agent', 'serve', '--store', 'memory', ...flags], { place: { ...place(), cwd: one.repo } });
  let last = 0;
  return {
    async ask(request) {
      last += 1;
      const id = last;
      server.send({ id, ...request });
      const done = await server.event((line) => line['id'] === id && line['kind'] === 'done');
      const line = server.events.find((each) => each['id'] === id && each['kind'] !== 'done') ?? {};
      return { line, code: done['exit_code'] };
    },
    async end() {
      server.closeStdin();
      return (await server.ended).code;
    },
  };
}

async function until(ops: Ops, id: string): Promise<JsonObject> {
  let after: JsonObject = {};
  for (;;) {
    const { line } = await ops.ask({ op: 'job.get', job_id: id, wait_ms: 20_000, ...after });
    if (str(line, 'observation', 'next_action') !== 'wait') return line;
    after = { after_change_token: str(line, 'observation', 'change_token') ?? '' };
  }
}

test('a job is submitted, reworked, accepted and landed by ops', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('test -n "$TURNOUT_WORKSPACE"'));
    one.git('add', '-A');
    one.git('commit', '--quiet', '-m', 'contract');
    const ops = served(one, ['--jobs', 'demo', '--jobs-root', one.repo]);
    const submit = { op: 'job.submit', idempotency_key: 'k1', message: 'write made.txt hello', working_dir: one.repo };
    const first = await ops.ask(submit);
    const id = str(first.line, 'job', 'job_id') ?? '';
    assert.equal([str(first.line, 'op'), at(first.line, 'replayed'), first.code], ['job.submit', false, 0]);
    const again = await ops.ask(submit);
    assert.equal([str(again.line, 'job', 'job_id'), at(again.line, 'replayed')], [id, true]);
    const seen = await until(ops, id);
    assert.is(str(seen, 'job', 'state'), 'awaiting_audit');
    const verdict = (digest: string | undefined, more: JsonObject): Promise<{ line: JsonObject; code: unknown }> =>
      ops.ask({ op: 'job.audit', job_id: id, implementation_revision_sha256: digest ?? null, ...more });
    const revision = str(seen, 'job', 'implementation_revision_sha256');
    const stale = await verdict('0'.repeat(64), { verdict: 'accept', findings: [] });
    assert.equal([str(stale.line, 'code'), stale.code], ['revision_mismatch', 1]);
    assert.is(
      str((await verdict(revision, { verdict: 'rework', findings: [FINDING] })).line, 'job', 'state'),
      'rework_queued',
    );
    const reworked = str(await until(ops, id), 'job', 'implementation_revision_sha256');
    const accepted = await verdict(reworked, { verdict: 'accept', findings: [] });
    assert.is(str(accepted.line, 'job', 'state'), 'accepted');
    const patch = await ops.ask({ op: 'job.patch', job_id: id });
    assert.is(str(patch.line, 'encoding'), 'utf8');
    assert.match(str(patch.line, 'patch') ?? '', '+++ b/made.txt');
    assert.match(str((await ops.ask({ op: 'job.receipt', job_id: id })).line, 'receipt') ?? '', 'vnd.in-toto+json');
    assert.is(str((await ops.ask({ op: 'job.land', job_id: id })).line, 'job', 'state'), 'landed');
    assert.is(one.read('made.txt'), 'hello');
    const listed = await ops.ask({ op: 'job.list', state: 'landed' });
    assert.equal(
      arr(listed.line, 'jobs')?.map((job) => str(job, 'job_id')),
      [id],
    );
    assert.is(await ops.end(), 1);
  }));

test('what a job op can not do is an error with the code of the service', () =>
  withUser(async (one) => {
    const ops = served(one, ['--jobs', 'demo', '--jobs-root', one.repo]);
    const refused = async (request: JsonObject) => {
      const { line, code } = await ops.ask(request);
      return [line['kind'], line['code'], code];
    };
    const submit = { op: 'job.submit', idempotency_key: 'k1', message: 'look', working_dir: one.repo };
    assert.equal(await refused(submit), ['error', 'verification_required', 1]);
    assert.equal(await refused({ ...submit, model: 'm' }), ['error', 'invalid_request', 2]);
    assert.equal(await refused({ ...submit, working_dir: '/etc' }), ['error', 'workspace_denied', 1]);
    assert.equal(await refused({ op: 'job.get', job_id: `job_${'0'.repeat(24)}` }), ['error', 'job_not_found', 1]);
    assert.equal(await refused({ op: 'job.get', job_id: 'x', wait_ms: 20_001 }), ['error', 'usage', 2]);
    assert.equal(await refused({ op: 'job.land', job_id: 'x', as: 'patch' }), ['error', 'usage', 2]);
    assert.is(await ops.end(), 2);
  }));

test('a server that was started without --jobs says how it serves them', () =>
  withUser(async (one) => {
    const ops = served(one, []);
    const { line, code } = await ops.ask({ op: 'job.list' });
    assert.equal([line['code'], code], ['not-found', 1]);
    assert.match(str(line, 'message') ?? '', '--jobs RUNTIME');
    await ops.end();
  }));

test.run();
