import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutComments } from '../architecture/rules.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';
const STATIC = /(?:^|;)\s*(?:import|export)\b(?!\s+type\b)(?!\s*\()[^'"`;]*?(?:\bfrom\s*)?(['"])(\.[^'"]+)\1/gm;

/** Every file that is loaded with a module before anything of it runs. */
function loadedWith(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const source = withoutComments(readFileSync(join(root, entry), 'utf8'));
  for (const [, , target = ''] of source.matchAll(STATIC)) {
    const path = posix.join(posix.dirname(entry), target).replace(/\.js$/, '.ts');
    if (existsSync(join(root, path)) && path.endsWith('.ts')) loadedWith(path, seen);
  }
  return seen;
}

for (const entry of [
  'src/main.ts',
  'src/commands/exec.ts',
  'src/commands/agent/exec.ts',
  'src/commands/agent/scan.ts',
  'src/index.ts',
]) {
  test(`${entry} loads nothing of the server`, () => {
    const loaded = [...loadedWith(entry)];
    assert.ok(loaded.length > 1);
    assert.equal(
      loaded.filter((file) => file.startsWith('src/serve/')),
      [],
    );
  });
}

test('the commands that serve load the server only when they run', () => {
  for (const command of ['src/commands/agent/serve.ts', 'src/commands/acp.ts', 'src/commands/mcp.ts']) {
    const loaded = [...loadedWith(command)];
    assert.equal(
      loaded.filter((file) => file.startsWith('src/serve/')),
      [],
    );
  }
  assert.ok(loadedWith('src/serve/server.ts').has('src/runs/run.ts'));
  assert.ok(loadedWith('src/serve/mcp/run.ts').has('src/serve/mcp/tools.ts'));
});

test('the library of the Agent Client Protocol is loaded by its own surface alone', () => {
  const loaded = [...loadedWith('src/serve/server.ts'), ...loadedWith('src/main.ts')];
  assert.equal(
    loaded.filter((file) => file.startsWith('src/serve/acp/')),
    [],
  );
  assert.ok(loadedWith('src/serve/acp/serve.ts').has('src/serve/acp/agent.ts'));
});

test('a stdio server loads neither HTTP nor sockets nor MCP, and SQLite only when it is used', () => {
  const loaded = [...loadedWith('src/serve/server.ts')];
  const eager = loaded.filter((file) =>
    /^src\/serve\/(socket\/|mcp\/|trace\/|http\/(?!address)|core\/store\/sqlite)/.test(file),
  );
  assert.equal(eager, []);
});

test.run();
