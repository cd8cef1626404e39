import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER } from '../../../src/contract/principal.js';
import { readAddress, shownAddress } from '../../../src/serve/listen/address.js';
import { type Guard, hostName, wrongSite } from '../../../src/serve/listen/guard.js';
import { KeyError, keyring, readKeys } from '../../../src/serve/listen/keys.js';
import type { OtherEvidence } from '../../../src/serve/listen/surface.js';
import { callerOf } from '../../../src/serve/listen/surfaces.js';
import { tickets } from '../../../src/serve/listen/tickets.js';

const identify = keyring([{ secret: 's3cret', principal: OWNER }]);
const guard: Guard = { identify, hosts: ['box.local'], anyAddress: false, origins: ['https://app.test'] };
const fine = { host: 'localhost:1' };
const head = (authorization: string | undefined) => ({
  method: 'GET',
  path: '/x',
  query: new URLSearchParams(),
  headers: { ...(authorization === undefined ? {} : { authorization }) },
});

test('hosts are read with and without a port', () => {
  assert.equal(['LOCALHOST:80', '[::1]:9', '127.0.0.1', 'a.b.'].map(hostName), [
    'localhost',
    '::1',
    '127.0.0.1',
    'a.b',
  ]);
  assert.equal(['', 'a b', 'a/b', 'a@b', '[::1', 'x:123456', 'évil'].map(hostName), Array(7).fill(null));
});

test('the scheme may have any case, the token must be the same', () => {
  for (const authorization of ['Bearer s3cret', 'bearer  s3cret ', 'BEARER s3cret']) {
    assert.is(callerOf(guard, [], head(authorization), undefined), OWNER);
  }
  for (const authorization of [
    '',
    's3cret',
    'Bearer',
    'Bearer s3cre',
    'Bearer s3cret2',
    'Basic s3cret',
    'Bearer S3CRET',
  ]) {
    assert.is(callerOf(guard, [], head(authorization), undefined), null, authorization);
  }
  assert.is(callerOf({ ...guard, identify: null }, [], head(undefined), undefined), OWNER);
});

test('a name that only resolves to us is not let in, token or not', () => {
  for (const host of ['evil.test', '127.0.0.1.evil.test', 'localhost.evil.test', '10.0.0.1', '']) {
    assert.is(wrongSite(guard, { ...fine, host })?.status, 403, host);
  }
  for (const host of ['127.0.0.1:5', '127.1.2.3', '[::1]:5', 'Box.Local:80']) {
    assert.is(wrongSite(guard, { ...fine, host }), null, host);
  }
  assert.is(wrongSite({ ...guard, anyAddress: true }, { ...fine, host: '10.0.0.1' }), null);
  assert.is(wrongSite({ ...guard, anyAddress: true }, { ...fine, host: 'evil.test' })?.status, 403);
});

test('pages of other sites are refused unless they are listed', () => {
  assert.is(wrongSite(guard, { ...fine, origin: 'https://evil.test' })?.status, 403);
  assert.is(wrongSite(guard, { ...fine, origin: 'null' })?.status, 403);
  assert.is(wrongSite(guard, { ...fine, 'sec-fetch-site': 'cross-site' })?.status, 403);
  assert.is(wrongSite(guard, { ...fine, origin: 'https://app.test', 'sec-fetch-site': 'cross-site' }), null);
});

test('a page that we serve asks us; one of another port does not', () => {
  assert.is(wrongSite(guard, { ...fine, origin: 'http://localhost:1' }), null);
  assert.is(wrongSite(guard, { ...fine, origin: 'http://localhost:2' })?.status, 403);
  assert.is(wrongSite(guard, { ...fine, origin: 'http://localhost' })?.status, 403);
});

test('other evidence is looked at when there is no right token', () => {
  const ann = { name: 'ann', kind: 'key' } as const;
  const inQuery: OtherEvidence = ({ query }, find) => find(query.get('token') ?? '');
  const keyed = { ...guard, identify: keyring([{ secret: 'ann-s3cret', principal: ann }]) };
  const asked = { ...head(undefined), query: new URLSearchParams('token=ann-s3cret') };
  assert.is(callerOf(keyed, [], asked, inQuery), ann);
  assert.is(callerOf(keyed, [], asked, undefined), null);
  assert.is(callerOf(keyed, [], { ...asked, query: new URLSearchParams('token=other') }, inQuery), null);
});

test('a ticket works once, and for a while', () => {
  let now = 0;
  const desk = tickets(30_000, () => now);
  const one = desk.issue(OWNER);
  assert.equal([desk.redeem(one), desk.redeem(one), desk.redeem('')], [OWNER, null, null]);
  const late = desk.issue(OWNER);
  now = 30_000;
  assert.is(desk.redeem(late), null);
});

test('a file of keys is read line by line, and what is wrong is said without the secret', () => {
  const secret = '0123456789abcdef';
  assert.equal(readKeys(`# people\n\n ann  key ${secret}\nbo guest x${secret}\n`), [
    { secret, principal: { name: 'ann', kind: 'key' } },
    { secret: `x${secret}`, principal: { name: 'bo', kind: 'guest' } },
  ]);
  for (const [text, why] of [
    [`ann ${secret}`, 'line 1: expected NAME key|guest SECRET'],
    [`ann owner ${secret}`, 'line 1: expected NAME key|guest SECRET'],
    [`# a\nann key ${secret} more`, 'line 2: behind the secret stand concurrency=N'],
    ['ann key short', 'line 1: a secret has at least 16 characters'],
    [`owner key ${secret}`, 'line 1: "owner" is'],
    [`a/b key ${secret}`, 'line 1: a name is'],
    [`ann key ${secret}\nann key x${secret}`, 'line 2: the name ann is used twice'],
    [`ann key ${secret}\nbo key ${secret}`, 'line 2: the secret of another line'],
  ]) {
    assert.throws(
      () => readKeys(text ?? ''),
      (error: unknown) =>
        error instanceof KeyError && error.message.startsWith(why ?? '') && !error.message.includes(secret),
      text,
    );
  }
});

test('addresses', () => {
  assert.equal(readAddress('0.0.0.0:80'), { host: '0.0.0.0', port: 80 });
  assert.equal(readAddress('[::1]:0'), { host: '::1', port: 0 });
  assert.equal(readAddress(':9090'), { host: '127.0.0.1', port: 9090 });
  for (const bad of ['', '9090', 'a:b', 'a:99999', '::1:80', 'a b:1']) assert.is(readAddress(bad), null, bad);
  assert.is(shownAddress({ host: '::1', port: 1 }), '[::1]:1');
});

test.run();
