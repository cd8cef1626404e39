import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ACCESS_MODES } from '../../../src/contract/vocabulary.js';
import { json, raw, statusOf } from '../listen/raw.js';
import { get, type PageSite, pageSite, post, shut, visit } from './visitor.js';

const test = suite('the page: who may look');
let page: PageSite;
test.before(async () => {
  page = await pageSite();
});

test('the document is public, and the browser may do little with it', async () => {
  const response = await get(page, '/');
  assert.is(response.status, 200);
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"])
    assert.ok(policy.includes(part), part);
  assert.not.match(policy, /unsafe|\*/);
  assert.is(response.headers.get('cache-control'), 'no-store');
  assert.is(response.headers.get('x-content-type-options'), 'nosniff');
  assert.is(response.headers.get('cross-origin-opener-policy'), 'same-origin');
});

test('files are kept by the browser, and nothing beside them is found', async () => {
  const response = await get(page, '/page/files/main-ABC.js');
  assert.is(response.status, 200);
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  for (const name of ['..%2Findex.html', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'none.js'])
    assert.is((await get(page, `/page/files/${name}`)).status, 404, name);
});

test('data needs a visit or the token', async () => {
  for (const path of ['/page/me', '/page/watch', '/page/sessions', '/page/runtimes'])
    assert.is((await get(page, path)).status, 401, path);
  assert.is((await post(page, '/page/turns', { prompt: 'x' })).status, 401);
  const shown = await get(page, '/page/me', await visit(page));
  assert.is(shown.status, 200);
  const access = ACCESS_MODES.filter((mode) => mode !== 'full');
  assert.equal((await json(shown))['access'], [...access]);
});

test('a code works once', async () => {
  const { code } = await json(await page.at.post('/page/code', '{}'));
  assert.is((await post(page, '/page/visit', { code: String(code) })).status, 200);
  assert.is((await post(page, '/page/visit', { code: String(code) })).status, 401);
});

test('a code works for a minute, a visit for twelve hours', async () => {
  const own = await pageSite();
  const { code } = await json(await own.at.post('/page/code', '{}'));
  const headers = await visit(own);
  own.later(61_000);
  assert.is((await post(own, '/page/visit', { code: String(code) })).status, 401);
  assert.is((await get(own, '/page/me', headers)).status, 200);
  own.later(12 * 60 * 60 * 1000);
  assert.is((await get(own, '/page/me', headers)).status, 401);
  await shut(own);
});

test('only whoever shows the token gets a code: not the page itself', async () => {
  assert.is((await post(page, '/page/code', {})).status, 401);
  assert.is((await post(page, '/page/code', {}, await visit(page))).status, 401);
});

test('guessing is slowed down, and a right code still works', async () => {
  const own = await pageSite();
  for (let i = 0; i < 5; i++) assert.is((await post(own, '/page/visit', { code: `guess${i}` })).status, 401);
  assert.is((await post(own, '/page/visit', { code: 'guess' })).status, 429);
  assert.is((await get(own, '/page/me', await visit(own))).status, 200);
  await shut(own);
});

test('neither the cookie nor the nonce is enough alone', async () => {
  const { cookie = '', 'x-turnout-page': nonce = '' } = await visit(page);
  const other = await visit(page);
  assert.is((await get(page, '/page/me', { cookie })).status, 401);
  assert.is((await get(page, '/page/me', { 'x-turnout-page': nonce })).status, 401);
  assert.is((await get(page, '/page/me', { cookie, 'x-turnout-page': other['x-turnout-page'] ?? '' })).status, 401);
});

test('the cookie is out of reach of scripts and other sites, and named by the port', async () => {
  const { code } = await json(await page.at.post('/page/code', '{}'));
  const set = (await post(page, '/page/visit', { code: String(code) })).headers.get('set-cookie') ?? '';
  assert.match(set, new RegExp(`^turnout_page_${page.at.open.port}=`));
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/page']) assert.ok(set.includes(part), part);
  assert.not.match(set, /Secure/);
});

test('other sites and other names get nothing, whatever they show', async () => {
  const { cookie = '', 'x-turnout-page': nonce = '' } = await visit(page);
  const ask = async (headers: Record<string, string>) => {
    const all = { Host: `127.0.0.1:${page.at.open.port}`, Cookie: cookie, 'X-Turnout-Page': nonce, ...headers };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return statusOf(await raw(page.at.open.port, `GET /page/me HTTP/1.1\r\n${head.join('')}\r\n`).answer);
  };
  assert.is(await ask({}), 200);
  assert.is(await ask({ 'Sec-Fetch-Site': 'same-origin' }), 200);
  assert.is(await ask({ 'Sec-Fetch-Site': 'cross-site' }), 403);
  assert.is(await ask({ 'Sec-Fetch-Site': 'same-site' }), 403);
  // Typed into the address bar: not a request of the page.
  assert.is(await ask({ 'Sec-Fetch-Site': 'none' }), 401);
  assert.is(await ask({ Origin: 'https://evil.test' }), 403);
  assert.is(await ask({ Host: `evil.test:${page.at.open.port}` }), 403);
});

test('a form of another site can send nothing', async () => {
  const headers = await visit(page);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await fetch(page.at.url('/page/turns'), {
      method: 'POST',
      body: '{"prompt":"x"}',
      headers: { ...headers, 'content-type': type },
    });
    assert.is(response.status, 415, type);
  }
});

test('the page asks for no wider mode than it was given', async () => {
  const response = await post(page, '/page/turns', { prompt: 'x', runtime: 'test', access: 'full' }, await visit(page));
  assert.is(response.status, 400);
  assert.match(JSON.stringify(await json(response)), /--page-access/);
});

test('whoever leaves has to come with a new code', async () => {
  const headers = await visit(page);
  const left = await fetch(page.at.url('/page/visit'), { method: 'DELETE', headers });
  assert.is(left.status, 200);
  assert.match(left.headers.get('set-cookie') ?? '', /Max-Age=0/);
  assert.is((await get(page, '/page/me', headers)).status, 401);
});

test.after(() => shut(page));
test.run();
