// limit: 120s
import { join } from 'node:path';
import { execaNode } from 'execa';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr, at, num, obj, parseObject, str } from '../../src/text/json.js';
import { type User, withUser } from '../workspace/lay-out.js';
import { CONTRACT, FINDING } from './stage.js';

interface Client {
  call(method: string, params?: JsonObject): Promise<JsonObject>;
  /** What a tool answered. */
  tool(name: string, fields: JsonObject): Promise<JsonObject>;
  /** All that came. */
  heard: JsonObject[];
}

async function withClient(one: User, args: string[], use: (client: Client) => Promise<void>): Promise<void> {
  const child = execaNode(join(process.cwd(), 'bin/turnout.js'), ['jobs', 'mcp', '--implementer', 'demo', ...args], {
    cwd: one.repo,
    env: { ...one.env, NODE_EXTRA_CA_CERTS: '' },
    reject: false,
    stdin: 'pipe',
    buffer: false,
  });
  const waiting = new Map<number, (answer: JsonObject) => void>();
  const heard: JsonObject[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = parseObject(line) ?? {};
      heard.push(answer);
      waiting.get(num(answer, 'id') ?? -1)?.(answer);
    }
  });
  let id = 0;
  const call = (method: string, params: JsonObject = {}) =>
    new Promise<JsonObject>((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const tool = async (name: string, fields: JsonObject) =>
    obj(await call('tools/call', { name, arguments: fields }), 'result', 'structuredContent') ?? {};
  try {
    await use({ call, tool, heard });
  } finally {
    child.stdin?.end();
    await child;
  }
}

const hello = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** The steps that were recorded with flyto-ai 0.20, with its names; what ours answers to each. */
test('with --compat flyto the recorded steps get the recorded answers', () =>
  withUser(async (one) => {
    one.write('.flyto/coding.yaml', CONTRACT('true').replace('turnout.', 'flyto.'));
    await withClient(one, ['--compat', 'flyto', '--max-rework', '1'], async ({ call, tool }) => {
      assert.is(num(await call('tools/list'), 'error', 'code'), -32600);
      assert.is(num(await call('initialize', hello('2024-11-05')), 'error', 'code'), -32602);
      const welcome = obj(await call('initialize', hello('2025-06-18')), 'result');
      assert.equal(obj(welcome, 'serverInfo'), { name: 'flyto-coding', version: '2' });
      assert.is(str(welcome, 'protocolVersion'), '2025-06-18');
      assert.ok((str(welcome, 'instructions') ?? '').length <= 512);
      const tools = arr(await call('tools/list'), 'result', 'tools') ?? [];
      assert.equal(
        tools.map((each: Json) => [str(each, 'name'), at(each, 'inputSchema', 'additionalProperties')]),
        [
          ['flyto_coding_submit', false],
          ['flyto_coding_get', false],
          ['flyto_coding_audit', false],
        ],
      );
      const request = { message: 'write made.txt hello', working_dir: one.repo };
      const submit = (key: string, asked: JsonObject) =>
        tool('flyto_coding_submit', { idempotency_key: key, request: asked });
      const error = async (answer: Promise<JsonObject>) => str(await answer, 'error');
      assert.is(await error(submit('a', { ...request, model: 'm' })), 'invalid_request');
      assert.is(await error(submit('a', { ...request, working_dir: '/etc' })), 'workspace_denied');
      const submitted = obj(await submit('k1', request), 'job');
      assert.is(str(submitted, 'state'), 'queued');
      const job_id = str(submitted, 'job_id') ?? '';
      assert.is(str(await submit('k1', request), 'job', 'job_id'), job_id);
      assert.is(await error(submit('k1', { ...request, message: 'z' })), 'idempotency_conflict');
      const settled = async (): Promise<JsonObject> => {
        let after: JsonObject = {};
        for (;;) {
          const seen = await tool('flyto_coding_get', { job_id, detail: 'summary', ...after });
          if (str(seen, 'observation', 'next_action') !== 'wait') return obj(seen, 'job') ?? {};
          after = { wait_ms: 20_000, after_change_token: str(seen, 'observation', 'change_token') ?? '' };
        }
      };
      assert.is(await error(tool('flyto_coding_get', { job_id, detail: 'summary', wait_ms: 1 })), 'invalid_request');
      const first = await settled();
      assert.is(str(first, 'state'), 'awaiting_codex_audit');
      const revision = str(first, 'implementation_revision_sha256') ?? '';
      const audit = (verdict: string, findings: Json[], digest = revision) =>
        tool('flyto_coding_audit', { job_id, implementation_revision_sha256: digest, verdict, findings });
      assert.is(await error(audit('accept', [], '0'.repeat(64))), 'revision_mismatch');
      assert.is(await error(audit('accept', [FINDING])), 'invalid_request');
      assert.is(await error(audit('rework', [])), 'invalid_request');
      assert.is(str(await audit('rework', [FINDING]), 'job', 'state'), 'rework_queued');
      assert.is(str(await settled(), 'state'), 'awaiting_codex_audit');
      assert.is(await error(audit('rework', [FINDING])), 'rework_limit_reached');
      const accepted = obj(await audit('accept', []), 'job');
      assert.equal([str(accepted, 'state'), at(accepted, 'landable')], ['codex_accepted', true]);
      assert.is(await error(audit('accept', [])), 'audit_state_conflict');
      assert.is(await error(tool('flyto_coding_get', { job_id: `job_${'0'.repeat(24)}` })), 'job_not_found');
      const full = obj(await tool('flyto_coding_get', { job_id }), 'job');
      assert.equal(arr(full, 'result', 'files_changed'), ['made.txt']);
      assert.is(num(await call('no/such'), 'error', 'code'), -32601);
    });
  }));

test('under our own names any client of either era is served, and jobs outlive the server', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('true'));
    let job_id = '';
    await withClient(one, [], async ({ call, tool }) => {
      assert.is(str(await call('initialize', hello('2025-11-25')), 'result', 'serverInfo', 'name'), 'turnout-coding');
      const request = { message: 'write made.txt hello', working_dir: one.repo };
      job_id = str(await tool('coding_submit', { idempotency_key: 'k', request }), 'job', 'job_id') ?? '';
      for (let after: JsonObject = {}; ; ) {
        const { observation } = await tool('coding_get', { job_id, wait_ms: 20_000, ...after });
        if (str(observation, 'next_action') === 'audit_exact_revision') break;
        after = { after_change_token: str(observation, 'change_token') ?? '' };
      }
    });
    await withClient(one, [], async ({ call, tool }) => {
      await call('initialize', hello('2025-06-18'));
      assert.is(str(await tool('coding_get', { job_id }), 'job', 'state'), 'awaiting_audit');
    });
  }));

test('the four bounded tools work on jobs: what is large stays behind handles', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('echo checked; test -f made.txt'));
    await withClient(one, ['--tools', 'loop'], async ({ call, tool }) => {
      await call('initialize', hello('2025-11-25'));
      const tools = arr(await call('tools/list'), 'result', 'tools') ?? [];
      assert.equal(
        tools.map((each) => str(each, 'name')),
        ['plan', 'execute', 'verify', 'get_evidence'],
      );
      // The demo runtime says the words of its prompt; a plan is what it says last.
      const task = 'write made.txt hello';
      const planned = obj(await tool('plan', { task, working_dir: one.repo }), 'plan');
      const plan = str(planned, 'handle') ?? '';
      assert.match(plan, /^plan_/);
      assert.ok((str(planned, 'summary') ?? '').length <= 410);
      const begun = await tool('execute', { plan });
      assert.is(str(await tool('execute', { plan }), 'job_id'), str(begun, 'job_id'));
      const job_id = str(begun, 'job_id') ?? '';
      const seen = await tool('verify', { job_id, wait_ms: 20_000 });
      assert.equal([str(seen, 'next_action'), at(seen, 'verified')], ['audit_exact_revision', true]);
      const handles = (arr(seen, 'evidence') ?? []).map((each) => str(each, 'handle')?.replace(`${job_id}.`, ''));
      assert.ok(handles.includes('patch') && handles.includes('check.0'), handles.join());
      const patch = await tool('get_evidence', { handle: `${job_id}.patch`, limit: 10 });
      assert.equal([str(patch, 'text'), num(patch, 'next_offset')], ['diff --git', 10]);
      assert.match(str(await tool('get_evidence', { handle: `${job_id}.check.0` }), 'text') ?? '', /checked/);
      for (const handle of ['plan_000000000000000000000000', `${job_id}.nothing`, '../../etc/passwd'])
        assert.is(str(await tool('get_evidence', { handle }), 'error'), 'job_not_found');
      assert.is(str(await tool('get_evidence', { handle: plan, limit: 9000 }), 'error'), 'invalid_request');
    });
  }));

test('behind a supervisor a client is served the same', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('true'));
    await withClient(one, ['--supervise'], async ({ call, tool }) => {
      assert.is(num(await call('tools/call', { name: 'coding_get', arguments: {} }), 'error', 'code'), -32600);
      assert.is(str(await call('initialize', hello('2025-06-18')), 'result', 'serverInfo', 'name'), 'turnout-coding');
      const request = { message: 'write made.txt hello', working_dir: one.repo };
      const job = str(await tool('coding_submit', { idempotency_key: 'k', request }), 'job', 'job_id') ?? '';
      assert.is(str(await tool('coding_get', { job_id: job }), 'job', 'job_id'), job);
    });
  }));

test('a client that gives a token hears what it waits for', () =>
  withUser(async (one) => {
    one.write('.turnout/coding.yaml', CONTRACT('true'));
    await withClient(one, [], async ({ call, tool, heard }) => {
      await call('initialize', hello('2025-11-25'));
      const request = { message: 'hang', working_dir: one.repo };
      const job_id = str(await tool('coding_submit', { idempotency_key: 'k', request }), 'job', 'job_id') ?? '';
      const token = str(await tool('coding_get', { job_id, wait_ms: 20_000 }), 'observation', 'change_token') ?? '';
      const look = { job_id, after_change_token: token, wait_ms: 100 };
      await call('tools/call', { name: 'coding_get', arguments: look, _meta: { progressToken: 'p' } });
      const progress = heard.find((message) => str(message, 'method') === 'notifications/progress');
      assert.is(str(progress, 'params', 'progressToken'), 'p');
      assert.match(str(progress, 'params', 'message') ?? '', /queued|running/);
    });
  }));

test.run();
