// limit: 180s
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTICE_CODES } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { runProgramLater } from '../run-program.js';
import { place, TURNOUT } from './cli.js';
import { checkEvent, checker, readSchema } from './schema-files.js';

const test = suite('examples in the documents');
const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const checkScan = checker(readSchema('scan'));

function blocks(document: string): string[] {
  const text = readFileSync(join(root, 'docs', document), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
}

/** Runs a block as a person would, with `turnout` on the PATH. */
async function sh(script: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const where = place();
  const bin = join(where.cwd, '..', 'bin');
  mkdirSync(bin);
  const shim = join(bin, 'turnout');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${TURNOUT}' "$@"\n`);
  chmodSync(shim, 0o755);
  const env = { ...where.env, PATH: `${bin}:${where.env['PATH']}` };
  const { status, stdout, stderr } = await runProgramLater('sh', ['-e', '-c', script], { cwd: where.cwd, env });
  return { code: status, stdout, stderr };
}

for (const document of ['protocol.md', 'demo.md']) {
  for (const [i, block] of blocks(document).entries()) {
    test(`${document}, example ${i + 1}: ${block.split('\n')[0]}`, async () => {
      if (process.platform === 'win32') return console.log('SKIPPED: needs sh');
      const { code, stdout, stderr } = await sh(block);
      assert.is(code, 0, stdout + stderr);
      const objects = stdout.split('\n').filter((line) => line.startsWith('{'));
      assert.ok(objects.length > 0 || stderr.includes('"usage"'), `printed nothing: ${stderr}`);
      for (const line of objects) {
        const value = parseObject(line);
        assert.ok(value, line);
        if (value?.['type'] !== undefined) assert.is(checkEvent(value), null, line);
        else if (value?.['agents'] !== undefined) assert.is(checkScan(value), null, line);
        else if (value?.['runtime'] !== undefined) assert.is(value['runtime'], 'demo', line);
        else assert.is(value?.['name'], 'turnout', line);
      }
      assert.not.match(stdout, /"code":"runner-error"/);
    });
  }
}

test('the protocol explains every code of a notice, and no other', () => {
  const text = readFileSync(join(root, 'docs', 'protocol.md'), 'utf8');
  const rows = /^### Notices$([\s\S]*?)^### /m.exec(text)?.[1]?.matchAll(/^\| (`.*?) \|/gm) ?? [];
  const named = [...rows].flatMap(([, codes = '']) => [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code));
  assert.equal(named.sort(), [...NOTICE_CODES].sort());
});

test('every document has examples', () => {
  for (const document of ['protocol.md', 'demo.md']) assert.ok(blocks(document).length > 2, document);
});

test.run();
