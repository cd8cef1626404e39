// limit: 120s
import { createServer } from 'node:http';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_AGENT_VERSION,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_TOOL_TYPE,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
  GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
} from '@opentelemetry/semantic-conventions/incubating';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject, parseObject } from '../../../src/text/json.js';
import { place } from '../../contract/cli.js';
import { ask, serve } from '../server.js';

interface Span {
  name: string;
  id: string;
  parent: string;
  kind: Json | undefined;
  status: Json | undefined;
  attributes: Record<string, Json | undefined>;
}

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** `{key, value: {stringValue: "x"}}` → x; lists as they are written. */
function attributesOf(list: Json | undefined): Record<string, Json | undefined> {
  return Object.fromEntries(
    objects(list).map(({ key, value }) => {
      const [one] = objects(value === undefined ? [] : [value]).flatMap((of) => Object.values(of));
      return [String(key), one];
    }),
  );
}

/** A collector of OTLP over HTTP with JSON (opentelemetry-proto 1). */
async function collector(status = 200) {
  const spans: Span[] = [];
  const resources: Record<string, Json | undefined>[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      paths.push(`${request.method} ${request.url}`);
      for (const { resource, scopeSpans } of objects(parseObject(body)?.['resourceSpans'])) {
        resources.push(
          ...objects(resource === undefined ? [] : [resource]).map((of) => attributesOf(of['attributes'])),
        );
        for (const one of objects(scopeSpans).flatMap((scope) => objects(scope['spans'])))
          spans.push({
            name: String(one['name']),
            id: String(one['spanId']),
            parent: String(one['parentSpanId'] ?? ''),
            kind: one['kind'],
            status: one['status'],
            attributes: attributesOf(one['attributes']),
          });
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { spans, resources, paths, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const http = ['--transport', 'http', '--port', '0', '--auth-token', 's3cret', '--store', 'memory'];

test('a turn and its tool calls are spans by the conventions, without what was said', async () => {
  const to = await collector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: to.url, OTEL_SERVICE_NAME: 'my-turnout' };
  const server = await serve(http, place(env));
  const prompt = 'shell ls then say private-word';
  await ask(server.at, { op: 'exec', runtime: 'demo', model: 'demo-1', prompt });
  await ask(server.at, { op: 'exec', runtime: 'demo', prompt: 'crash 3' });
  const { stderr } = await server.stop();
  to.close();
  assert.not.match(stderr, 'spans');
  assert.is(to.paths[0], 'POST /v1/traces');
  assert.is(to.resources[0]?.['service.name'], 'my-turnout');
  const [turn, crashed] = to.spans.filter(({ name }) => name === 'invoke_agent demo');
  const tool = to.spans.find(({ name }) => name === 'execute_tool shell');
  assert.equal([turn?.parent, tool?.parent], ['', turn?.id]);
  assert.equal([turn?.kind, tool?.kind], [3, 1]);
  const of = turn?.attributes ?? {};
  assert.is(of[ATTR_GEN_AI_OPERATION_NAME], GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT);
  assert.equal([of[ATTR_GEN_AI_AGENT_NAME], of[ATTR_GEN_AI_PROVIDER_NAME]], ['demo', 'demo']);
  assert.equal([of[ATTR_GEN_AI_REQUEST_MODEL], typeof of[ATTR_GEN_AI_AGENT_VERSION]], ['demo-1', 'string']);
  assert.match(String(of[ATTR_GEN_AI_CONVERSATION_ID]), /^[\w-]{8,}$/);
  assert.equal(of[ATTR_GEN_AI_RESPONSE_FINISH_REASONS], { values: [{ stringValue: 'end_turn' }] });
  for (const name of [
    ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ])
    assert.ok(Number(of[name]) >= 0, name);
  assert.equal(tool?.attributes, {
    [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
    [ATTR_GEN_AI_TOOL_NAME]: 'shell',
    [ATTR_GEN_AI_TOOL_CALL_ID]: 't1',
    [ATTR_GEN_AI_TOOL_TYPE]: 'extension',
  });
  assert.is(crashed?.attributes[ATTR_ERROR_TYPE], 'runner-error');
  assert.equal(crashed?.status, { code: 2 });
  // What the runtime did not report is left out.
  assert.not.ok(ATTR_GEN_AI_USAGE_INPUT_TOKENS in (crashed?.attributes ?? {}));
  assert.not.match(JSON.stringify(to.spans), 'private-word');
});

/** @returns what a server says on stderr that ran a turn with this collector */
async function saidWith(url: string): Promise<string> {
  const server = await serve(http, place({ OTEL_EXPORTER_OTLP_ENDPOINT: url }));
  const answer = await ask(server.at, { op: 'exec', runtime: 'demo', prompt: 'say hi' });
  assert.is(answer.at(-1)?.['exit_code'], 0);
  const { code, stderr } = await server.stop();
  assert.is(code, 0);
  return stderr;
}

test('a collector that refuses or is away is reported, and the server works and ends', async () => {
  const refusing = await collector(400);
  assert.match(await saidWith(refusing.url), /spans were not sent: .*Bad Request/);
  refusing.close();
  assert.match(await saidWith('http://127.0.0.1:9'), /spans were not sent: .*(ECONNREFUSED|within 5 s)/);
});

test.run();
