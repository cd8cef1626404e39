import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CoreError } from '../../../src/runs/failure.js';
import { str } from '../../../src/text/json.js';
import { plan } from '../../runs/fake-turn.js';
import { runner } from '../../turn/stage.js';
import { json } from '../listen/raw.js';
import { answers, ask, CHAT, GUEST_KEY, KEY, user, withApi } from './site.js';

const guest = { authorization: `Bearer ${GUEST_KEY}` };
const loggedIn = runner({ keys: ['TEST_API_KEY'], loginHint: 'agent login' });

test('a guest can’t use what may be the owner’s login, whatever the surface', () =>
  withApi(
    async (on) => {
      for (const model of ['test', 'turnout']) {
        const refused = await on.post(CHAT, ask([user('hi')], { model }), guest);
        assert.equal([refused.status, str(await json(refused), 'error', 'code')], [403, 'credential_owner']);
        assert.is(refused.headers.get('x-should-retry'), 'false');
      }
      const caller = { principal: { name: 'visitor', kind: 'guest' }, surface: 'http' } as const;
      const error = await on.submit('hi', { caller, plan: plan() }).catch((cause: unknown) => cause);
      assert.ok(error instanceof CoreError && error.reason === 'credential-owner');
      assert.is(on.turns.length, 0);
      const asked = on.post(CHAT, ask([user('hi')]), { authorization: `Bearer ${KEY}` });
      await answers(on, 0, 'Hello.');
      assert.is((await asked).status, 200);
    },
    { runners: [loggedIn] },
  ));

test('a guest may use an API key, the server’s or one that it brings', async () => {
  const env = { TEST_API_KEY: 'x' };
  for (const own of [false, true]) {
    await withApi(
      async (on) => {
        const asked = on.post(CHAT, ask([user('hi')], own ? { turnout: { env } } : {}), guest);
        await answers(on, 0, 'Hello.');
        assert.is((await asked).status, 200);
      },
      { runners: [loggedIn], ambient: own ? {} : env },
    );
  }
});

test.run();
