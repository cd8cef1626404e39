// limit: 240s
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { agentsLeft, ERAS, TRANSPORTS, withClient } from './clients.js';

const ASK = { runtime: 'demo', prompt: 'ask then ask' };
const accept = (choice: string) => (): ElicitResult => ({ action: 'accept', content: { choice } });

for (const era of ERAS) {
  for (const transport of TRANSPORTS) {
    const kind = { era, transport };
    const name = (what: string) => `${era} over ${transport}: ${what}`;

    test(name('the person is asked what an agent asks, and the answer counts'), async () => {
      const asked: string[] = [];
      const person = (message: string): ElicitResult => {
        asked.push(message);
        return asked.length === 1 ? accept('allow_once')() : { action: 'decline' };
      };
      await withClient({ ...kind, person }, async ({ call, place }) => {
        const done = await call('agent_exec', ASK);
        assert.is(asked.length, 2);
        assert.match(asked[0] ?? '', `demo in ${place.cwd} asks for permission`);
        assert.match(asked[0] ?? '', 'make deploy');
        assert.not.ok(done.isError, done.text);
        assert.match(done.text, 'deny');
        const { text } = await call('agent_events', { run_id: done.content['run_id'] ?? '' });
        assert.match(text, 'allow_once');
      });
    });
  }

  test(`${era}: the agent's own question is a form, and its answer reaches the agent`, async () => {
    const forms: unknown[] = [];
    const person = (message: string, form: ElicitRequestParams): ElicitResult => {
      forms.push('requestedSchema' in form ? form.requestedSchema : null);
      assert.match(message, 'demo in ');
      return { action: 'accept', content: { q0: 'green', q1: ['b'] } };
    };
    await withClient({ era, transport: 'stdio', person }, async ({ call }) => {
      const prompt = 'question Which colour? red | green & several Which letters? a | b';
      const done = await call('agent_exec', { runtime: 'demo', prompt });
      assert.match(done.text, /You answered: .*green.*b/s);
      assert.equal(forms, [
        {
          type: 'object',
          properties: {
            q0: { type: 'string', title: 'Which colour?', enum: ['red', 'green'], enumNames: ['red', 'green'] },
            q1: { type: 'array', title: 'Which letters?', items: { type: 'string', enum: ['a', 'b'] } },
          },
        },
      ]);
    });
  });

  test(`${era}: a question that no form may ask, or that nobody can be asked, is declined`, async () => {
    const prompt = 'question secret What is the password?';
    await withClient({ era, transport: 'stdio', person: accept('x') }, async ({ call }) => {
      const done = await call('agent_exec', { runtime: 'demo', prompt });
      assert.match(done.text, 'Nobody answered my question');
      assert.match(done.text, 'no form may ask it');
    });
    await withClient({ era, transport: 'stdio' }, async ({ call }) => {
      const asked = { runtime: 'demo', prompt: 'question Go on? yes | no' };
      assert.match((await call('agent_exec', asked)).text, 'Nobody answered my question');
      const refused = await call('agent_exec', { ...asked, questions: 'ask' });
      assert.ok(refused.isError);
      assert.match(refused.text, 'questions: nobody can be asked here');
    });
  });

  test(`${era}: a client that shows no questions gets a denial, and is told`, () =>
    withClient({ era, transport: 'stdio' }, async ({ call }) => {
      const done = await call('agent_exec', { ...ASK, prompt: 'ask', approvals: 'ask' });
      assert.match(done.text, 'deny');
      assert.match(done.text, /Note: Not permitted/);
      const write = await call('agent_exec', { runtime: 'demo', prompt: 'write notes.txt Hello' });
      assert.match(write.text, /Note: Not permitted at this mode.*write/);
      assert.equal(write.content['notices'], ['Not permitted at this mode and by nobody allowed, so not done: write.']);
    }));

  test(`${era}: questions may be forbidden altogether`, () =>
    withClient({ era, transport: 'stdio', args: ['--approvals', 'deny'], person: accept('allow_once') }, async (to) => {
      const asked = await to.call('agent_exec', { ...ASK, approvals: 'ask' });
      assert.ok(asked.isError);
      assert.match(asked.text, 'approvals');
      assert.match((await to.call('agent_exec', { ...ASK, prompt: 'ask' })).text, 'deny');
    }));

  test(`${era}: an answer that is none of the choices is a no`, () =>
    withClient({ era, transport: 'stdio', person: accept('deny') }, async ({ call }) => {
      assert.match((await call('agent_exec', { ...ASK, prompt: 'ask' })).text, 'deny');
    }));
}

test('a call that is called off while the person thinks leaves nothing', async () => {
  const off = new AbortController();
  const person = () => {
    off.abort();
    return new Promise<ElicitResult>(() => {});
  };
  await withClient({ era: 'legacy', transport: 'stdio', person }, async ({ call, place }) => {
    await call('agent_exec', ASK, { signal: off.signal }).then(
      () => assert.unreachable('it was called off'),
      () => {},
    );
    assert.equal(await agentsLeft(place.mark), []);
  });
});

test('a handle that nobody was given is refused', () =>
  withClient({ era: 'modern', transport: 'stdio' }, async ({ client }) => {
    const params = { name: 'agent_exec', arguments: ASK, requestState: 'made-up', inputResponses: {} };
    await client.callTool(params).then(
      () => assert.unreachable('it was refused'),
      (error: Error) => assert.match(error.message, 'requestState'),
    );
  }));

test.run();
