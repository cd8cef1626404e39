// limit: 120s
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KINDS } from '../../src/serve/ops/meta.js';
import { OP_NAMES } from '../../src/serve/ops/ops.js';
import { isObject, parseJson } from '../../src/text/json.js';
import { runProgram } from '../run-program.js';
import { serve } from '../serve/server.js';
import { root } from './documents.js';

const text = readFileSync(join(root, 'docs', 'server.md'), 'utf8');

/** What differs from run to run, whatever its value. */
const VOLATILE = new Set(['run_id', 'session_id', 'cwd', 'pid', 'child_pid', 'duration_ms', 'runtime_version']);

function steady(line: string): unknown {
  const value = parseJson(line);
  if (!isObject(value)) return line;
  return JSON.parse(line, (key, one) => (VOLATILE.has(key) ? '…' : one));
}

interface Step {
  command: string;
  shown: string[];
}

function transcript(): Step[] {
  const block = /```console\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '';
  const steps: Step[] = [];
  for (const line of block.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] });
    else steps.at(-1)?.shown.push(line);
  }
  return steps;
}

function shell(command: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.on('close', () => resolve(out));
  });
}

test('the curl transcripts of docs/server.md are what the server answers', async () => {
  if (runProgram('curl', ['--version']).status !== 0) return console.log('SKIPPED: curl is not installed');
  const steps = transcript();
  assert.ok(steps.length >= 6);
  const server = await serve(['--transport', 'http', '--port', '0', '--auth-token', 's3cret', '--store', 'memory']);
  try {
    for (const { command, shown } of steps) {
      const out = await shell(command.replaceAll('http://127.0.0.1:9090', server.at));
      assert.equal(out.trimEnd().split('\n').map(steady), shown.map(steady), command);
    }
  } finally {
    await server.stop();
  }
});

test('every op and every kind of answer is described', () => {
  for (const op of OP_NAMES) assert.match(text, new RegExp(`^\\|[^|]*\`${op}\``, 'm'), op);
  for (const kind of KINDS) assert.match(text, new RegExp(`^\\| \`${kind}\` \\|`, 'm'), kind);
});

test.run();
