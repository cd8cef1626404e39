// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '../../src/contract/vocabulary.js';
import { arr, at, isObject, str } from '../../src/text/json.js';
import { serve } from '../serve/server.js';
import { withUser } from '../workspace/lay-out.js';
import { CONTRACT, FINDING } from './stage.js';

/** The steps that were recorded with flyto-ai 0.20 over HTTP. */
test('over HTTP the recorded steps get the recorded answers, and an accepted change lands', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('true'));
    const flags = ['--jobs', 'demo', '--jobs-root', one.repo, '--jobs-compat', 'flyto'];
    const server = await serve([
      '--transport',
      'http',
      '--port',
      '0',
      '--auth-token',
      's3cret-s3cret-s3cret',
      ...flags,
    ]);
    const call = async (method: string, path: string, body?: Json, more: Record<string, string> = {}) => {
      const response = await fetch(`${server.at}${path}`, {
        method,
        headers: { authorization: 'Bearer s3cret-s3cret-s3cret', 'content-type': 'application/json', ...more },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      return { status: response.status, answer: isObject(answer) ? answer : {}, headers: response.headers };
    };
    const refusal = async (asked: ReturnType<typeof call>) => {
      const { status, answer } = await asked;
      return [status, str(answer, 'error')];
    };
    try {
      const request = { message: 'write made.txt hello', working_dir: one.repo };
      const key = { 'idempotency-key': 'k1' };
      const submit = (body: Json, more: Record<string, string> = key) => call('POST', '/v1/coding/jobs', body, more);
      assert.equal((await call('GET', '/healthz', undefined, { authorization: '' })).answer, {
        ok: true,
        service: 'flyto-coding',
      });
      assert.equal(await refusal(submit(request, { ...key, authorization: 'Bearer wrong' })), [401, 'unauthorized']);
      assert.equal(await refusal(submit(request, {})), [400, 'invalid_request']);
      assert.equal(await refusal(submit('{')), [400, 'invalid_request']);
      assert.equal(await refusal(submit({ ...request, working_dir: '/etc' })), [403, 'workspace_denied']);
      assert.equal(await refusal(submit({ ...request, model: 'm' })), [400, 'invalid_request']);
      assert.equal(await refusal(call('GET', '/v1/coding/nothing')), [404, 'not_found']);
      const submitted = await submit(request);
      assert.equal([submitted.status, str(submitted.answer, 'job', 'state')], [202, 'queued']);
      assert.is(submitted.headers.get('cache-control'), 'no-store');
      const id = str(submitted.answer, 'job', 'job_id') ?? '';
      assert.is(str((await submit(request)).answer, 'job', 'job_id'), id);
      assert.equal(await refusal(submit({ ...request, message: 'z' })), [409, 'idempotency_conflict']);
      const path = `/v1/coding/jobs/${id}`;
      let after = '';
      for (;;) {
        const { answer } = await call('GET', `${path}?detail=summary&wait_ms=20000${after}`);
        if (str(answer, 'observation', 'next_action') !== 'wait') break;
        after = `&after_change_token=${str(answer, 'observation', 'change_token')}`;
      }
      const { answer } = await call('GET', path);
      assert.equal([str(answer, 'job', 'state'), 'observation' in answer], ['awaiting_codex_audit', false]);
      const revision = str(answer, 'job', 'implementation_revision_sha256') ?? '';
      const audit = (verdict: string, findings: Json[], digest = revision) =>
        call('POST', `${path}/audit`, { implementation_revision_sha256: digest, verdict, findings });
      assert.equal(await refusal(audit('accept', [], '0'.repeat(64))), [409, 'revision_mismatch']);
      assert.equal(await refusal(audit('accept', [FINDING])), [400, 'invalid_request']);
      assert.equal(await refusal(call('POST', `${path}/land`, {})), [409, 'job_state_conflict']);
      const accepted = (await audit('accept', [])).answer;
      assert.equal([str(accepted, 'job', 'state'), at(accepted, 'job', 'landable')], ['codex_accepted', true]);
      assert.equal(await refusal(audit('accept', [])), [409, 'audit_state_conflict']);
      assert.equal(await refusal(call('GET', `/v1/coding/jobs/job_${'0'.repeat(24)}`)), [404, 'job_not_found']);
      assert.is((await call('GET', `${path}/receipt`)).answer['payloadType'], 'application/vnd.in-toto+json');
      assert.is((await call('POST', `${path}/land`, { as: 'apply' })).status, 200);
      assert.is(one.read('made.txt'), 'hello');
      const listed = (await call('GET', '/v1/coding/jobs')).answer;
      assert.equal(
        (arr(listed, 'jobs') ?? []).map((job) => str(job, 'job_id')),
        [id],
      );
    } finally {
      await server.stop();
    }
  }));

test.run();
