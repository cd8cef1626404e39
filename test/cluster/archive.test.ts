// limit: 120s
// Logs of old runs leave the engine and are read all the same; on every engine that is here.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { archiveOld, openArchive } from '../../src/cluster/archive.js';
import { forget } from '../../src/cluster/forget.js';
import { openEngine } from '../../src/cluster/open.js';
import { entries, OWNER, reason, until } from '../runs/conformance/worlds.js';
import { fakeTurns, plan, says, start } from '../runs/fake-turn.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { hasPostgres, POSTGRES_SKIPPED, servePostgres } from './postgres.js';
import { freshName, member } from './world.js';

const test = suite('the archive');
const LATER = 60_000;

for (const [kind, there, missing, serve] of [
  ['Redis', hasRedis, SKIPPED, () => serveRedis()],
  ['PostgreSQL', hasPostgres, POSTGRES_SKIPPED, servePostgres],
] as const) {
  test(`on ${kind}`, async () => {
    if (!there()) return console.log(missing);
    const served = await serve();
    const name = freshName();
    const folder = mkdtempSync(join(tmpdir(), 'archive-'));
    const fake = fakeTurns();
    const core = await member(served.url, name, fake.start, { archive: folder });
    const without = await member(served.url, name, fake.start, { role: 'front' });
    const { engine } = await openEngine(served.url, { name, complain() {} });
    const archive = openArchive(engine, folder);
    const begin = async (prompt: string) => {
      const at = fake.turns.length;
      const how = { caller: OWNER, plan: plan(prompt), conversation: { kind: 'new' }, attended: false } as const;
      const { run } = await core.runs.start(how);
      await until(() => fake.turns.length > at);
      fake.turns[at]?.emit(start);
      return run.run_id;
    };
    const over = await begin('over');
    for (let i = 0; i < 500; i++) fake.turns[0]?.emit(says(`w${i} `));
    fake.turns[0]?.end();
    await core.runs.ended(over, OWNER);
    const open = await begin('open');
    const before = await entries(core, over);

    assert.is(await archiveOld(engine, archive, Date.now() - LATER), 0);
    assert.is(await archiveOld(engine, archive, Date.now() + LATER), 1);
    assert.is(await archiveOld(engine, archive, Date.now() + LATER), 0);
    assert.equal(await engine.events(over, 0, { entries: 9, size: 9 }), []);
    assert.equal(await entries(core, over), before);
    assert.equal(await entries(core, over, 499), before.slice(499));
    const page = await core.log.page(over, 10, { entries: 5, size: 100_000 }, OWNER);
    assert.equal([page.entries.map(({ seq }) => seq), page.missing, page.over], [[11, 12, 13, 14, 15], 0, true]);
    assert.is((await core.runs.list({ limit: 9 }, OWNER)).length, 2);

    // A front without the folder says that the entries are gone, and invents none.
    const seen = [];
    for await (const one of without.log.follow(over, { after: 0, follow: true }, OWNER)) seen.push(one);
    assert.equal(seen, [{ gap: { from: 1, to: before.length } }]);

    // A damaged file is an error, not an empty log.
    const [sub = ''] = readdirSync(folder);
    const [file = ''] = readdirSync(join(folder, sub));
    writeFileSync(join(folder, sub, file), 'nothing');
    const fresh = await member(served.url, name, fake.start, { role: 'front', archive: folder });
    assert.is(await reason(entries(fresh, over)), 'store');

    fake.turns[1]?.end();
    await core.runs.ended(open, OWNER);
    assert.is(await forget(engine, Date.now() + LATER, archive), 2);
    assert.equal(readdirSync(join(folder, sub)), []);
    await core.drain();
    for (const one of [fresh, without, core, engine]) await one.close();
    await served.stop();
    rmSync(folder, { recursive: true });
  });
}
test.run();
