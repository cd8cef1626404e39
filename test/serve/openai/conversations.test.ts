import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from '../../../src/text/json.js';
import { begins, settled } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { answers, ask, CHAT, KEY, OTHER_KEY, says, user, withApi } from './site.js';

test('a conversation that comes whole goes on in its session', () =>
  withApi(async (on) => {
    const first = on.post(CHAT, ask([user('one')]));
    await answers(on, 0, 'First. ');
    const session = (await first).headers.get('x-turnout-session-id');
    const said = [user('one'), { role: 'assistant', content: 'First.' }, user('two')];
    const second = on.post(CHAT, ask(said));
    await answers(on, 1, 'Second.');
    assert.is((await second).headers.get('x-turnout-session-id'), session);
    const request = on.turns[1]?.plan.request;
    assert.equal([request?.prompt, request?.resume, request?.system], ['two', 'native-0', null]);

    // The same once more, and one that was edited: neither is where the session ends.
    for (const [index, messages] of [said, [user('ONE'), ...said.slice(1)]].entries()) {
      const asked = on.post(CHAT, ask(messages));
      await answers(on, 2 + index, 'Third.');
      assert.is.not((await asked).headers.get('x-turnout-session-id'), session);
      const fresh = on.turns[2 + index]?.plan.request;
      assert.equal([fresh?.prompt, fresh?.resume], ['two', null]);
      assert.match(fresh?.system ?? '', /<user>\none\n<\/user>\n<assistant>\nFirst\.\n<\/assistant>/i);
    }
  }));

test('nobody goes on with the conversation of another', () =>
  withApi(async (on) => {
    const first = on.post(CHAT, ask([user('one')]));
    await answers(on, 0, 'First.');
    await first;
    const said = [user('one'), { role: 'assistant', content: 'First.' }, user('two')];
    const second = on.post(CHAT, ask(said), { authorization: `Bearer ${OTHER_KEY}` });
    await answers(on, 1, 'Second.');
    await second;
    assert.is(on.turns[1]?.plan.request.resume, null);
  }));

test('a session by name gets the newest message alone', () =>
  withApi(async (on) => {
    const first = on.post(CHAT, ask([user('one')]));
    await answers(on, 0, 'First.');
    const session = (await first).headers.get('x-turnout-session-id') ?? '';
    const headers = { 'x-hermes-session-id': session };
    const second = on.post(CHAT, ask([user('ignored'), { role: 'assistant', content: 'x' }, user('two')]), headers);
    await answers(on, 1, 'Second.');
    assert.is((await second).headers.get('x-hermes-session-id'), session);
    const request = on.turns[1]?.plan.request;
    assert.equal([request?.prompt, request?.resume, request?.system], ['two', 'native-0', null]);
    const unknown = await on.post(CHAT, ask([user('three')]), { 'x-turnout-session-id': 'ses_none' });
    assert.equal([unknown.status, at(await json(unknown), 'error', 'code')], [404, 'session_not_found']);
  }));

test('a caller that leaves takes its turn along', () =>
  withApi(async (on) => {
    const left = new AbortController();
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify(ask([user('hi')], { stream: true }));
    const asked = fetch(on.site.url(CHAT), { method: 'POST', body, headers, signal: left.signal });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('Hel'));
    await asked;
    left.abort();
    while (!turn.calls.includes('cancel')) await settled();
    turn.end(130);
  }));

test('the same key is the same turn; a retry of an SDK is the turn of its first try', () =>
  withApi(async (on) => {
    for (const [index, pair] of [
      [{ 'idempotency-key': 'k1' }, { 'idempotency-key': 'k1' }],
      [{ 'x-stainless-retry-count': '0' }, { 'x-stainless-retry-count': '1' }],
    ].entries()) {
      const body = ask([user(`once ${index}`)]);
      const first = on.post(CHAT, body, pair[0]);
      const turn = await on.turn(index);
      const again = on.post(CHAT, body, pair[1]);
      turn.emit(begins(1));
      await answers(on, index, 'Once.');
      const [one, two] = [await json(await first), await json(await again)];
      assert.equal(one, two);
      assert.is(on.turns.length, index + 1);
    }
    const other = await on.post(CHAT, ask([user('else')]), { 'idempotency-key': 'k1' });
    assert.equal([other.status, at(await json(other), 'error', 'code')], [409, 'idempotency_key_conflict']);
    // Not a retry: the same question, asked twice.
    const headers = { 'x-stainless-retry-count': '0' };
    const asked = [on.post(CHAT, ask([user('once 1')]), headers)];
    await answers(on, 2, 'Again.');
    await Promise.all(asked);
    assert.is(on.turns.length, 3);
  }));

test('no more turns at once than there are places', () =>
  withApi(
    async (on) => {
      const first = on.post(CHAT, ask([user('one')]));
      await on.turn(0);
      const second = await on.post(CHAT, ask([user('two')]));
      assert.equal([second.status, second.headers.get('retry-after')], [429, '1']);
      assert.is(at(await json(second), 'error', 'type'), 'rate_limit_error');
      await answers(on, 0, 'One.');
      assert.is((await first).status, 200);
    },
    { concurrency: 1 },
  ));

test.run();
