/** Words that use the demo's own tools. Above `--access full` every call is a question first. */

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { JsonObject } from '../contract/vocabulary.js';
import { commandShell } from '../process/system-program.js';
import { firstWord } from './script.js';
import type { ScriptContext } from './script-context.js';
import { Interrupted } from './script-context.js';
import type { Word } from './words.js';

interface Ran {
  ok: boolean;
  output: string;
  exit_code?: number;
}

const OUTPUT_BYTES = 1024 * 1024;
/** A background child may hold the pipes of a shell that has ended. */
const DRAIN_MS = 200;

function runShell(context: ScriptContext, command: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const windows = process.platform === 'win32';
    const args = windows ? ['/d', '/s', '/c', `"${command}"`] : ['-c', command];
    const child = spawn(commandShell(process.env), args, {
      cwd: context.cwd,
      // The command is cmd's to read: it must arrive as it was written.
      windowsVerbatimArguments: windows,
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
    if (context.signal.aborted) return stop();
    context.signal.addEventListener('abort', stop, { once: true });
    const end = (code: number | null, signal: string | null) => {
      context.signal.removeEventListener('abort', stop);
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
  context: ScriptContext,
  name: string,
  input: JsonObject,
  work: () => Promise<Ran>,
  parent?: string,
): Promise<{ ran: Ran; choice: string } | { denied: string }> {
  const id = context.tool();
  const message = context.message();
  await context.send({ type: 'tool_start', id, message, name, input, ...(parent === undefined ? {} : { parent }) });
  let choice = 'unasked';
  if (context.prompt.ask) {
    const decision = await context.question(id, name, input);
    choice = decision.choice;
    if (choice === 'deny') {
      await context.send({ type: 'tool_end', id, ok: false, output: decision.message, denied: true });
      await context.close();
      return { denied: decision.message };
    }
  }
  const ran = await work();
  await context.send({ type: 'tool_end', id, ...ran });
  await context.close();
  return { ran, choice };
}

/** A word that is nothing where no native tool is offered. */
export function native(word: Word): Word {
  return (context, rest) => (context.prompt.native ? word(context, rest) : context.say('I have no such tool here.'));
}

export const shell: Word = async (context, rest) => {
  const command = rest || 'echo hello from demo';
  const done = await use(context, 'shell', { command }, () => runShell(context, command));
  if ('denied' in done) return context.say(`I was not allowed to run \`${command}\`. ${done.denied}`.trim());
  const { ok, output, exit_code } = done.ran;
  await context.say(ok ? 'The command printed: ' : `The command failed (${exit_code ?? 'no exit code'}): `);
  await context.say(output.trim() || 'nothing');
};

export const write: Word = async (context, rest) => {
  const [path, content] = firstWord(rest);
  if (!path) return context.say('Write what where? `write PATH TEXT`');
  const file = isAbsolute(path) ? path : join(context.cwd, path);
  const done = await use(context, 'write', { file_path: file, content }, async () => {
    try {
      await writeFile(file, content);
      return { ok: true, output: `${Buffer.byteLength(content)} bytes written` };
    } catch (error) {
      return { ok: false, output: error instanceof Error ? error.message : String(error) };
    }
  });
  if ('denied' in done) return context.say(`I was not allowed to write ${path}. ${done.denied}`.trim());
  await context.say(done.ran.ok ? `I wrote ${path}.` : `I could not write ${path}: ${done.ran.output}`);
};

export const ask: Word = async (context) => {
  const input = { command: 'make deploy', description: 'Deploy (nothing is really run)' };
  const done = await use(context, 'shell', input, async () => ({
    ok: true,
    output: 'deployed (not really)',
    exit_code: 0,
  }));
  if ('denied' in done) return context.say(`The answer was: deny. ${done.denied}`.trim());
  await context.say(done.choice === 'unasked' ? 'I did not have to ask.' : `The answer was: ${done.choice}.`);
};

export const subagent: Word = async (context) => {
  const parent = context.tool();
  const task = { subagent_type: 'explorer', description: 'Look around', prompt: 'Find the answer.' };
  await context.send({ type: 'tool_start', id: parent, message: context.message(), name: 'task', input: task });
  const about = { type: 'subagent' as const, id: 'a1', tool: parent };
  await context.send({ ...about, phase: 'started', ...task });
  await context.say('Looking for the answer.', { parent });
  const inner = context.tool();
  const where = { pattern: 'answer', path: context.cwd };
  await context.send({
    type: 'tool_start',
    id: inner,
    message: context.message(),
    name: 'search',
    input: where,
    parent,
  });
  await context.send({ type: 'tool_end', id: inner, ok: true, output: 'answer: forty-two' });
  const usage = { total_tokens: 120, tool_uses: 1, duration_ms: 0 };
  await context.send({ ...about, phase: 'progress', last_tool: 'search', usage });
  await context.send({ ...about, phase: 'finished', status: 'completed', summary: 'It is forty-two.', usage });
  await context.send({ type: 'tool_end', id: parent, ok: true, output: 'It is forty-two.' });
  await context.close();
  await context.say('The subagent found: forty-two.');
};

const PLAN = ['Read the question', 'Think about it', 'Answer'];

export const plan: Word = async (context) => {
  for (let done = 0; done <= PLAN.length; done++) {
    const entries = PLAN.map((content, i) => ({
      content,
      status: i < done ? 'completed' : i === done ? 'in_progress' : 'pending',
    }));
    await context.send({ type: 'plan', entries });
  }
  await context.say('All three steps of the plan are done.');
};
