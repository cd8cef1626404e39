import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readAddress, shownAddress } from '../../../src/serve/listen/address.js';
import { deny, type Guard, hostName } from '../../../src/serve/listen/guard.js';

const guard: Guard = { token: 's3cret', hosts: ['box.local'], anyAddress: false, origins: ['https://app.test'] };
const fine = { host: 'localhost:1', authorization: 'Bearer s3cret' };

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
    assert.is(deny(guard, { ...fine, authorization }, false), null);
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
    assert.is(deny(guard, { ...fine, authorization }, false)?.status, 401, authorization);
  }
  assert.is(deny(guard, { host: 'localhost' }, true), null);
});

test('a name that only resolves to us is not let in, token or not', () => {
  for (const host of ['evil.test', '127.0.0.1.evil.test', 'localhost.evil.test', '10.0.0.1', '']) {
    assert.is(deny(guard, { ...fine, host }, false)?.status, 403, host);
  }
  for (const host of ['127.0.0.1:5', '127.1.2.3', '[::1]:5', 'Box.Local:80']) {
    assert.is(deny(guard, { ...fine, host }, false), null, host);
  }
  assert.is(deny({ ...guard, anyAddress: true }, { ...fine, host: '10.0.0.1' }, false), null);
  assert.is(deny({ ...guard, anyAddress: true }, { ...fine, host: 'evil.test' }, false)?.status, 403);
});

test('pages of other sites are refused unless they are listed', () => {
  assert.is(deny(guard, { ...fine, origin: 'https://evil.test' }, false)?.status, 403);
  assert.is(deny(guard, { ...fine, origin: 'null' }, false)?.status, 403);
  assert.is(deny(guard, { ...fine, 'sec-fetch-site': 'cross-site' }, false)?.status, 403);
  assert.is(deny(guard, { ...fine, origin: 'https://app.test', 'sec-fetch-site': 'cross-site' }, false), null);
});

test('addresses', () => {
  assert.equal(readAddress('0.0.0.0:80'), { host: '0.0.0.0', port: 80 });
  assert.equal(readAddress('[::1]:0'), { host: '::1', port: 0 });
  assert.equal(readAddress(':9090'), { host: '127.0.0.1', port: 9090 });
  for (const bad of ['', '9090', 'a:b', 'a:99999', '::1:80', 'a b:1']) assert.is(readAddress(bad), null, bad);
  assert.is(shownAddress({ host: '::1', port: 1 }), '[::1]:1');
});

test.run();
