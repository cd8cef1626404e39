// limit: 240s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../src/text/json.js';
import { agentsLeft, ERAS, TRANSPORTS, withClient } from './clients.js';

const NAMES = [
  'agent_scan',
  'agent_models',
  'agent_exec',
  'agent_start',
  'agent_get',
  'agent_events',
  'agent_steer',
  'agent_approve',
  'agent_stop',
  'sessions_list',
];
const demo = { runtime: 'demo' };

for (const era of ERAS) {
  for (const transport of TRANSPORTS) {
    const kind = { era, transport };
    const name = (what: string) => `${era} over ${transport}: ${what}`;

    test(name('all tools are listed with schemas of what they take and give'), () =>
      withClient(kind, async ({ client }) => {
        const { tools } = await client.listTools();
        assert.equal(
          tools.map((one) => one.name),
          NAMES,
        );
        for (const one of tools) assert.ok(one.outputSchema && one.description, one.name);
        const exec = tools.find((one) => one.name === 'agent_exec');
        assert.equal(exec?.inputSchema.required, ['prompt']);
      }),
    );

    test(name('a scan finds the demo, a turn of it is answered and can be continued and read'), () =>
      withClient(kind, async ({ client, call, place }) => {
        const { content } = await call('agent_scan', { all: true });
        assert.ok(
          Array.isArray(content['agents']) && content['agents'].some((one) => isObject(one) && one['id'] === 'demo'),
        );
        assert.is(content['may_start'], true);
        const first = await call('agent_exec', { ...demo, prompt: 'say good morning' });
        assert.not.ok(first.isError, first.text);
        assert.match(first.text, 'good morning');
        assert.is(first.content['text'], 'good morning');
        assert.is(first.content['status'], 'completed');
        assert.is(first.content['error'], null);
        assert.is(first.content['cwd'], place.cwd);
        assert.ok(isObject(first.content['usage']) && Number(first.content['usage']['output_tokens']) > 0);
        const session = first.content['session_id'] ?? '';
        const second = await call('agent_exec', { prompt: 'remember', session_id: session });
        assert.match(second.text, 'good morning');
        assert.is(second.content['session_id'], session);
        const byNative = await call('agent_exec', {
          prompt: 'remember',
          session_id: first.content['native_session_id'] ?? '',
        });
        assert.is(byNative.content['session_id'], session);
        const listed = await call('sessions_list', {});
        const [one] = Array.isArray(listed.content['sessions']) ? listed.content['sessions'] : [];
        const uri = String(isObject(one) ? one['transcript'] : '');
        const { resources } = await client.listResources();
        assert.ok(resources.some((resource) => resource.uri === uri));
        const { contents } = await client.readResource({ uri });
        const [page] = contents;
        assert.match(
          page && 'text' in page ? page.text : '',
          /## Prompt .*\n\nsay good morning\n\n## Answer .*\n\ngood morning/,
        );
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.is(resourceTemplates[0]?.uriTemplate, 'turnout://sessions/{session_id}');
      }),
    );

    test(name('progress tells the text so far and the tools'), () =>
      withClient(kind, async ({ call }) => {
        const seen: string[] = [];
        let last = 0;
        const done = await call(
          'agent_exec',
          { ...demo, prompt: 'shell ls then slow 8' },
          {
            onProgress({ progress, message }) {
              assert.ok(progress > last);
              last = progress;
              seen.push(message ?? '');
            },
          },
        );
        assert.not.ok(done.isError, done.text);
        assert.ok(seen.includes('shell ls'), seen.join(' | '));
        assert.ok(
          seen.some((text) => text !== '' && done.text.includes(text)),
          seen.join(' | '),
        );
      }),
    );

    test(name('a turn that fails is an error with its code'), () =>
      withClient(kind, async ({ call }) => {
        const failed = await call('agent_exec', { ...demo, prompt: 'quota' });
        assert.ok(failed.isError);
        assert.match(failed.text, 'demo failed (quota)');
        assert.ok(isObject(failed.content['error']) && failed.content['error']['code'] === 'quota');
        assert.is(failed.content['status'], 'failed');
      }),
    );

    test(name('a call that is called off leaves nothing'), () =>
      withClient(kind, async ({ call, place }) => {
        const off = new AbortController();
        const seen: string[] = [];
        const pending = call(
          'agent_exec',
          { ...demo, prompt: 'say hanging then hang hard' },
          {
            signal: off.signal,
            onProgress({ message = '' }) {
              seen.push(message);
              if (message.includes('hanging')) off.abort();
            },
          },
        );
        await pending.then(
          () => assert.unreachable('it was called off'),
          () => {},
        );
        assert.ok(seen.length > 0);
        assert.equal(await agentsLeft(place.mark), []);
      }),
    );

    test(name('a resource that is not there is said to be missing'), () =>
      withClient(kind, async ({ client }) => {
        for (const uri of ['turnout://sessions/ses_none', 'turnout://sessions/%', 'file:///etc/passwd']) {
          await client.readResource({ uri }).then(
            () => assert.unreachable(uri),
            (error: Error) => assert.match(error.message, /not found/i),
          );
        }
      }),
    );
  }
}

test.run();
