/** Words that use the demo's own tools. Above `--access full` every call is a question first. */

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { JsonObject } from '../contract/vocabulary.js';
import { firstWord } from './script.js';
import type { Stage } from './stage.js';
import { Interrupted } from './stage.js';
import type { Word } from './words.js';

interface Ran {
  ok: boolean;
  output: string;
  exit_code?: number;
}

const OUTPUT_BYTES = 1024 * 1024;
/** A background child may hold the pipes of a shell that has ended. */
const DRAIN_MS = 200;

function runShell(stage: Stage, command: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const windows = process.platform === 'win32';
    const child = spawn(windows ? 'cmd' : 'sh', windows ? ['/d', '/s', '/c', command] : ['-c', command], {
      cwd: stage.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const kept: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
    let room = OUTPUT_BYTES;
    const keep = (where: Buffer[]) => (chunk: Buffer) => {
      where.push(chunk.subarray(0, room));
      room = Math.max(0, room - chunk.length);
    };
    child.stdout.on('data', keep(kept.out));
    child.stderr.on('data', keep(kept.err));
    const stop = () => {
      child.kill();
      reject(new Interrupted());
    };
    if (stage.signal.aborted) return stop();
    stage.signal.addEventListener('abort', stop, { once: true });
    const end = (code: number | null, signal: string | null) => {
      stage.signal.removeEventListener('abort', stop);
      const output = Buffer.concat([...kept.out, ...kept.err]).toString('utf8');
      if (code !== null) resolve({ ok: code === 0, output, exit_code: code });
      else resolve({ ok: false, output: `${output}ended by ${signal ?? 'a signal'}` });
    };
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', end);
    child.on('exit', (code, signal) => setTimeout(end, DRAIN_MS, code, signal));
  });
}

/** Runs one native tool: start, question where one is due, the work, end. @returns what came of it, null when denied */
async function use(
  stage: Stage,
  name: string,
  input: JsonObject,
  work: () => Promise<Ran>,
  parent?: string,
): Promise<{ ran: Ran; choice: string } | { denied: string }> {
  const id = stage.tool();
  const message = stage.message();
  await stage.send({ type: 'tool_start', id, message, name, input, ...(parent === undefined ? {} : { parent }) });
  let choice = 'unasked';
  if (stage.prompt.ask) {
    const decision = await stage.question(id, name, input);
    choice = decision.choice;
    if (choice === 'deny') {
      await stage.send({ type: 'tool_end', id, ok: false, output: decision.message, denied: true });
      await stage.close();
      return { denied: decision.message };
    }
  }
  const ran = await work();
  await stage.send({ type: 'tool_end', id, ...ran });
  await stage.close();
  return { ran, choice };
}

export const shell: Word = async (stage, rest) => {
  const command = rest || 'echo hello from demo';
  const done = await use(stage, 'shell', { command }, () => runShell(stage, command));
  if ('denied' in done) return stage.say(`I was not allowed to run \`${command}\`. ${done.denied}`.trim());
  const { ok, output, exit_code } = done.ran;
  await stage.say(ok ? 'The command printed: ' : `The command failed (${exit_code ?? 'no exit code'}): `);
  await stage.say(output.trim() || 'nothing');
};

export const write: Word = async (stage, rest) => {
  const [path, content] = firstWord(rest);
  if (!path) return stage.say('Write what where? `write PATH TEXT`');
  const file = isAbsolute(path) ? path : join(stage.cwd, path);
  const done = await use(stage, 'write', { file_path: file, content }, async () => {
    try {
      await writeFile(file, content);
      return { ok: true, output: `${Buffer.byteLength(content)} bytes written` };
    } catch (error) {
      return { ok: false, output: error instanceof Error ? error.message : String(error) };
    }
  });
  if ('denied' in done) return stage.say(`I was not allowed to write ${path}. ${done.denied}`.trim());
  await stage.say(done.ran.ok ? `I wrote ${path}.` : `I could not write ${path}: ${done.ran.output}`);
};

export const ask: Word = async (stage) => {
  const input = { command: 'make deploy', description: 'Deploy (nothing is really run)' };
  const done = await use(stage, 'shell', input, async () => ({
    ok: true,
    output: 'deployed (not really)',
    exit_code: 0,
  }));
  if ('denied' in done) return stage.say(`The answer was: deny. ${done.denied}`.trim());
  await stage.say(done.choice === 'unasked' ? 'I did not have to ask.' : `The answer was: ${done.choice}.`);
};

export const subagent: Word = async (stage) => {
  const parent = stage.tool();
  const task = { subagent_type: 'explorer', description: 'Look around', prompt: 'Find the answer.' };
  await stage.send({ type: 'tool_start', id: parent, message: stage.message(), name: 'task', input: task });
  const about = { type: 'subagent' as const, id: 'a1', tool: parent };
  await stage.send({ ...about, phase: 'started', ...task });
  await stage.say('Looking for the answer.', { parent });
  const inner = stage.tool();
  const where = { pattern: 'answer', path: stage.cwd };
  await stage.send({ type: 'tool_start', id: inner, message: stage.message(), name: 'search', input: where, parent });
  await stage.send({ type: 'tool_end', id: inner, ok: true, output: 'answer: forty-two' });
  const usage = { total_tokens: 120, tool_uses: 1, duration_ms: 0 };
  await stage.send({ ...about, phase: 'progress', last_tool: 'search', usage });
  await stage.send({ ...about, phase: 'finished', status: 'completed', summary: 'It is forty-two.', usage });
  await stage.send({ type: 'tool_end', id: parent, ok: true, output: 'It is forty-two.' });
  await stage.close();
  await stage.say('The subagent found: forty-two.');
};

const PLAN = ['Read the question', 'Think about it', 'Answer'];

export const plan: Word = async (stage) => {
  for (let done = 0; done <= PLAN.length; done++) {
    const entries = PLAN.map((content, i) => ({
      content,
      status: i < done ? 'completed' : i === done ? 'in_progress' : 'pending',
    }));
    await stage.send({ type: 'plan', entries });
  }
  await stage.say('All three steps of the plan are done.');
};
