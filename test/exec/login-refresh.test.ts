import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { layOut } from '../../src/exec/confine/state.js';
import { findBwrap } from '../../src/process/confine/bwrap.js';
import { bwrapArgs } from '../../src/process/confine/walls.js';
import { privateDir } from '../../src/process/temp-files.js';
import type { ConfineRow } from '../../src/runner/confine-row.js';
import { canConfine, place, walls } from '../process/confine/walled.js';

const test = suite('refresh of a login inside the walls');

/** A server that gives each refresh token once, as vendors do that rotate them. */
async function oauth(): Promise<{ url: string; granted: string[]; close(): void }> {
  const granted: string[] = [];
  let current = 'refresh-0';
  const server = createServer((asked, response) => {
    let body = '';
    asked.on('data', (chunk) => (body += chunk));
    asked.on('end', () => {
      const isCurrent = new URLSearchParams(body).get('refresh_token') === current;
      response.writeHead(isCurrent ? 200 : 400, { 'content-type': 'application/json' });
      if (!isCurrent) return response.end('{"error":"invalid_grant"}');
      current = `refresh-${granted.length + 1}`;
      granted.push(current);
      return response.end(JSON.stringify({ access_token: `access-${granted.length}`, refresh_token: current }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, granted, close: () => server.close() };
}

/** Refreshes as programs do: reads its login, asks, and writes what it got. Arguments: the file, the server, how it writes. */
const PROGRAM = `
const fs = require('fs');
const [file, url, how] = process.argv.slice(1);
(async () => {
  const login = JSON.parse(fs.readFileSync(file, 'utf8'));
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: login.refresh_token });
  const answer = await fetch(url, { method: 'POST', body });
  if (!answer.ok) process.exit(3);
  const text = JSON.stringify({ ...login, ...(await answer.json()), expires_at: Date.now() });
  if (how === 'in-place') fs.writeFileSync(file, text);
  else {
    fs.writeFileSync(file + '.new', text);
    fs.renameSync(file + '.new', file);
  }
})();
`;

for (const how of ['in-place', 'by-rename']) {
  for (const kept of [false, true]) {
    test(`tokens that are given once come back, written ${how}${kept ? ' in a folder that stays' : ''}`, async () => {
      if (!canConfine()) return;
      const here = place();
      const server = await oauth();
      const home = join(here.outside, 'home');
      const login = join(home, '.agent', 'auth.json');
      mkdirSync(join(home, '.agent'), { recursive: true });
      writeFileSync(
        login,
        JSON.stringify({ account: 'ann', access_token: 'access-0', refresh_token: 'refresh-0', expires_at: 1 }),
      );
      const row: ConfineRow = { state: [{ at: '~/.agent', ...(kept ? { kept: true } : {}), logins: ['auth.json'] }] };
      /** One turn: its private folder is gone at the end, and so is all but the tokens. */
      const turn = async (): Promise<number | null> => {
        const dir = await privateDir();
        const laid = await layOut(row, {}, home, async () => dir);
        const args = bwrapArgs(walls(here.cwd, { ...laid, home, ground: [process.execPath] }), 3);
        const argv = [...args, '--', process.execPath, '-e', PROGRAM, login, server.url, how];
        const child = spawn(findBwrap()?.path ?? '', argv, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
        const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
        for (const one of laid.logins) {
          one.close();
          assert.is(await one.bringBack(), null);
        }
        await dir.remove();
        return code;
      };
      try {
        for (const number of [1, 2, 3]) {
          assert.is(await turn(), 0, `turn ${number}`);
          const now = JSON.parse(readFileSync(login, 'utf8'));
          assert.equal(
            [now.account, now.access_token, now.refresh_token],
            ['ann', `access-${number}`, `refresh-${number}`],
          );
        }
        // A copy that is merely thrown away logs the person out.
        writeFileSync(login, readFileSync(login, 'utf8').replace('refresh-3', 'refresh-2'));
        assert.is(await turn(), 3);
      } finally {
        server.close();
        here.remove();
      }
    });
  }
}

test('in a folder that stays, a login that was changed in more than its tokens is put back', async () => {
  const here = place();
  const home = join(here.outside, 'home');
  const login = join(home, '.agent', 'auth.json');
  mkdirSync(join(home, '.agent'), { recursive: true });
  try {
    const before = JSON.stringify({ url: 'https://vendor.example', token: 'one' });
    for (const [planted, stays] of [
      [JSON.stringify({ url: 'https://evil.example', token: 'one' }), false],
      ['', false],
      [JSON.stringify({ url: 'https://vendor.example', token: 'two' }), true],
    ] as const) {
      writeFileSync(login, before);
      const laid = await layOut(
        { state: [{ at: '~/.agent', kept: true, logins: ['auth.json'] }] },
        {},
        home,
        privateDir,
      );
      writeFileSync(login, planted);
      const [said] = await Promise.all(laid.logins.map((one) => one.bringBack()));
      assert.is(readFileSync(login, 'utf8'), stays ? planted : before);
      assert.is(said === null, stays);
    }
  } finally {
    here.remove();
  }
});

test.run();
