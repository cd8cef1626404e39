import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOnly, importsOf, tooLong, violations, withoutComments } from './rules.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

/** What is found in a small project made of these files. */
function found(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  try {
    for (const [name, source] of Object.entries({
      'src/contract/a.ts': '',
      'runners/dialects/prompt-tools.ts': '',
      ...files,
    })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), source);
    }
    return violations(folder).map(({ file, what }) => `${file} ${what}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the rooms of this project import only what the table allows', () => {
  assert.equal(violations(root), []);
});

test('no file is longer than 300 lines', () => {
  assert.equal(tooLong(root, ['src', 'runners', 'test', 'scripts', 'bin'], 300), []);
});

test('the library re-exports and does nothing else', () => {
  const source = withoutComments(readFileSync(join(root, 'src/index.ts'), 'utf8'));
  const rest = source.replace(/^export (?:type )?(?:\*|\{[^}]*\}) from '[^']+';$/gm, '').trim();
  assert.is(rest, '');
});

test('a static import of a forbidden room is found, types included', () => {
  assert.equal(found({ 'src/contract/b.ts': "import type { X } from '../turn/loop.js';" }), [
    'src/contract/b.ts may not import src/turn/loop.ts',
  ]);
});

test('an import over several lines, a re-export and a bare import are found', () => {
  assert.equal(
    found({
      'src/text/a.ts': "import {\n  a,\n  b,\n} from '../process/x.js';\n",
      'src/text/b.ts': "export * from '../process/y.js';\n",
      'src/text/c.ts': "import '../process/z.js';\n",
    }),
    [
      'src/text/a.ts may not import src/process/x.ts',
      'src/text/b.ts may not import src/process/y.ts',
      'src/text/c.ts may not import src/process/z.ts',
    ],
  );
});

test('a dynamic import is found; one with a computed name is refused', () => {
  assert.equal(
    found({
      'src/output/a.ts': "const x = await import('../turn/loop.js');",
      'src/output/b.ts': 'const x = await import(name);',
      'src/output/c.ts': `const x = await import(\`./\${name}.js\`);`,
      'src/output/d.ts': "const x = require('../turn/loop.js');",
    }),
    [
      'src/output/a.ts may not import src/turn/loop.ts',
      'src/output/b.ts imports a module whose name is computed, or uses require',
      'src/output/c.ts imports a module whose name is computed, or uses require',
      'src/output/d.ts imports a module whose name is computed, or uses require',
    ],
  );
});

test('libraries are allowed by room', () => {
  assert.equal(
    found({
      'src/discovery/a.ts': "import pLimit from 'p-limit';\nimport 'node:fs';",
      'src/turn/a.ts': "import pLimit from 'p-limit';",
      'src/tools/a.ts': "import Ajv from 'ajv/dist/2020.js';",
      'src/text/a.ts': "import 'node:fs';",
    }),
    ['src/text/a.ts may not import the library node:fs', 'src/turn/a.ts may not import the library p-limit'],
  );
});

test('a runner may not look into another, nor at the machine', () => {
  assert.equal(
    found({
      'runners/one.ts': "import x from './two/index.js';",
      'runners/two/index.ts':
        "import './converse.js'; import '../dialects/acp.js'; import '../dialects/prompt-tools.js';",
      'runners/two/converse.ts': 'const now = Date.now();',
      'runners/three.ts': "const home = process.env['HOME'];",
      'runners/four.ts': "import fs from 'node:fs';",
      'runners/five.ts': "const said = 'process.exit()'; // Date.now()\nstate.process(said);",
    }).sort(),
    [
      'runners/four.ts may not import the library node:fs',
      'runners/one.ts may not import runners/two/index.ts',
      'runners/three.ts uses process., but runners are pure',
      'runners/two/converse.ts uses Date., but runners are pure',
    ],
  );
});

test('a file outside every room is found', () => {
  assert.equal(found({ 'src/attic/a.ts': '' }), ['src/attic/a.ts belongs to no room of the table']);
});

test('imports in comments and strings are none', () => {
  assert.equal(importsOf("// import x from 'y';\n/* import('z') */\nconst a = 'https://x'; import b from 'c';"), ['c']);
  assert.is(codeOnly("a('x // y'); // z"), "a('');  ");
});

test('a file of more lines than allowed is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'long.ts'), 'a;\n'.repeat(301));
  writeFileSync(join(folder, 'src', 'short.ts'), 'a;\n'.repeat(300));
  assert.equal(tooLong(folder, ['src'], 300), [{ file: 'src/long.ts', what: 'has 301 lines' }]);
  rmSync(folder, { recursive: true });
});

test.run();
