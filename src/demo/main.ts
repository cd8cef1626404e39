/** The demo runtime's program (`turnout __demo`): prompts in, a stream out, one turn after the other until stdin ends. */

import { lineSplitter } from '../text/lines.js';
import { readIncoming } from './dialect.js';
import { flushed, sender } from './output.js';
import { sessionFolder } from './sessions.js';
import type { Turn } from './turn.js';
import { startTurn } from './turn.js';

/** `turnout __demo models` lists them. */
const MODELS = [
  { id: 'default', model: 'demo-1', label: 'Default', default: true },
  { id: 'demo-1', model: 'demo-1', label: 'Demo 1' },
  { id: 'demo-2', model: 'demo-2', label: 'Demo 2' },
];
const LINE_BYTES = 32 * 1024 * 1024;

const send = sender(process.stdout);
const folder = sessionFolder(process.env, process.platform);
let turn: Turn | null = null;

function onLine(line: string): void {
  const incoming = readIncoming(line);
  if (incoming?.type !== 'prompt') {
    if (incoming) turn?.hear(incoming);
    return;
  }
  const before = turn?.done ?? Promise.resolve();
  const next = before.then(() => startTurn(incoming, folder, process.cwd(), send));
  turn = {
    hear: (heard) => void next.then((begun) => begun.hear(heard)),
    done: next.then((begun) => begun.done),
  };
}

async function onEnd(): Promise<void> {
  turn?.hear({ type: 'interrupt' });
  await turn?.done;
  await flushed(process.stdout);
  process.exit(0);
}

const splitter = lineSplitter({
  max: LINE_BYTES,
  onLine,
  onDropped: (bytes) => void process.stderr.write(`demo: a line of ${bytes} bytes was too long\n`),
});
if (process.argv.at(-1) === 'models') {
  for (const model of MODELS) process.stdout.write(`${JSON.stringify(model)}\n`);
} else {
  process.stdin.on('data', (chunk: Buffer) => splitter.push(chunk));
  process.stdin.on('end', () => {
    splitter.end();
    void onEnd();
  });
}
