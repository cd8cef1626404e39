// limit: 120s
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import type { Store } from '../../src/runs/store/store.js';
import type { World, WorldOptions } from './conformance/worlds.js';
import { conformance } from './conformance.js';
import { stage } from './fake-turn.js';

const folder = mkdtempSync(join(tmpdir(), 'runs-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function world(store: Store, options: WorldOptions = {}, beside: World['beside'] = null): World {
  const { core, turns } = stage({ store, ...options });
  return { ports: core, turns, beside, close: async () => store.close() };
}

conformance('runs in memory', async (options) => world(memoryStore(), options));

conformance('runs in a file', async (options) => {
  const path = join(folder, `${files++}.db`);
  return world(await openSqlite({ path, what: 'a test', complain() {} }), options);
});

conformance('runs in a file that several processes share', async (options) => {
  const path = join(folder, `${files++}.db`);
  const open = () => openSqlite({ path, what: 'a test', shared: true, complain() {} });
  const others: Store[] = [];
  const made = world(await open(), options, async () => {
    const store = await open();
    others.push(store);
    return stage({ store }).core;
  });
  return {
    ...made,
    async close() {
      for (const store of others) store.close();
      await made.close();
    },
  };
});

test.run();
