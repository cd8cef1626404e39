import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { captureNames, importCapture } from './import.js';

function withFolder(files: Record<string, string>, look: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'lab-import-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    look(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('frames with times in front', () => {
  const frames = '+10ms > {"a":1}\n+12ms < {"b":"\u2028"}\n+13ms # a remark\n+14ms E noise\n+15ms EXIT 0 null\n';
  withFolder({ 'x.frames': frames, 'x.exit': '0\n' }, (folder) => {
    assert.equal(importCapture(folder, 'x'), [
      { t: 10, k: 'in', line: '{"a":1}' },
      { t: 12, k: 'out', line: '{"b":"\u2028"}' },
      { t: 14, k: 'err', line: 'noise' },
      { t: 14, k: 'exit', code: 0, signal: null, files: {} },
    ]);
  });
});

test('frames that are wrapped, in both spellings', () => {
  const files = {
    'a.frames.jsonl': '{"t":3.4,"dir":">","m":{"id":0}}\n',
    'b.frames.ndjson': '{"t":5,"dir":"<","f":{"id":1}}\n',
  };
  withFolder(files, (folder) => {
    assert.equal(captureNames(folder), ['a', 'b']);
    assert.equal(importCapture(folder, 'a'), [{ t: 3, k: 'in', line: '{"id":0}' }]);
    assert.equal(importCapture(folder, 'b'), [{ t: 5, k: 'out', line: '{"id":1}' }]);
  });
});

test('plain output, and every way the end was noted', () => {
  const ends: [string, number | null, string | null][] = [
    ['143\n', 143, null],
    ['signal 15', null, 'SIGTERM'],
    [' signal=SIGKILL', null, 'SIGKILL'],
    ['exit=[0,null] after stdin EOF', 0, null],
    ['rc=1', 1, null],
  ];
  for (const [noted, code, signal] of ends) {
    withFolder({ 'x.stdout': '{"a":1}\n', 'x.stderr': 'oh\n', 'x.exit': noted }, (folder) => {
      assert.equal(importCapture(folder, 'x').at(-1), { t: 0, k: 'exit', code, signal, files: {} });
      assert.is(importCapture(folder, 'x').length, 3);
    });
  }
});

test.run();
