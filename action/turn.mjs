// One turn of `turnout agent exec` in a job of GitHub Actions: summary, outputs and an annotation, whatever ends it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, createWriteStream, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

const { env } = process;
const input = (name) => env[`INPUT_${name}`] ?? '';
const events = join(env.RUNNER_TEMP ?? '.', `turnout-${randomUUID()}.ndjson`);

/** A workflow command: a line break would begin a line that is read as one of its own. */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** A delimiter that no text can hold: what follows it would be read as other outputs. */
const output = (name, text) => {
  const end = `end_${randomUUID()}`;
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${text}\n${end}\n`);
};

const given = {
  runtime: 'RUNTIME',
  access: 'ACCESS',
  model: 'MODEL',
  cwd: 'CWD',
  timeout: 'TIMEOUT',
  'budget-usd': 'BUDGET_USD',
};
const argv = ['agent', 'exec', '--prompt-frame'];
for (const [flag, name] of Object.entries(given)) if (input(name) !== '') argv.push(`--${flag}=${input(name)}`);
argv.push(
  ...input('FLAGS')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

/** On Windows npm's shim is a batch file, whose arguments cmd.exe would read once more: start what it starts. */
function program() {
  if (env.TURNOUT) return env.TURNOUT.split(' ');
  if (process.platform !== 'win32') return ['turnout'];
  const scripts = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node_modules', 'turnout', 'bin', 'turnout.js'));
  const script = scripts.find(existsSync);
  return script === undefined ? ['turnout.exe'] : [process.execPath, script];
}
const [command, ...first] = program();
const child = spawn(command, [...first, ...argv], { stdio: ['pipe', 'pipe', 'pipe'] });
const gone = new Promise((resolve) => {
  child.once('error', (error) => resolve({ code: 127, error }));
  child.once('close', (code) => resolve({ code: code ?? 1 }));
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
// A program that could not be started is reported by `error`.
child.stdin.on('error', () => {});
child.stdin.write(`${JSON.stringify({ v: 1, type: 'prompt', text: input('PROMPT') })}\n`);

let stderr = '';
child.stderr.setEncoding('utf8').on('data', (text) => {
  stderr = (stderr + text).slice(-65_536);
});
const file = createWriteStream(events, { mode: 0o600 });
let last = {};
let answer = null;
let cost = null;
let session = '';
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
  file.write(`${line}\n`);
  const event = JSON.parse(line);
  if (event.type === 'session') session = event.session_id;
  if (event.type === 'result') answer = event.output ?? event.text ?? null;
  if (event.type === 'error' && event.code !== 'bad-frame') last = event;
  if (event.type === 'done') cost = event.totals?.cost_usd ?? null;
}
const { code, error } = await gone;
await new Promise((resolve) => file.end(resolve));

if (code !== 0) {
  // A wrong call prints no events, but one JSON line on stderr.
  const said = stderr.split('\n').find((line) => line.startsWith('{"v":1'));
  const { code: name = 'failed', message = error?.message ?? stderr.trim() } =
    said && !last.code ? JSON.parse(said) : last;
  console.log(`::error title=turnout::${escaped(`${name}: ${message}`)}`);
}
appendFileSync(env.GITHUB_STEP_SUMMARY, `${answer ?? `No answer (exit code ${code}).`}\n`);
output('answer', answer ?? '');
output('cost-usd', cost ?? 'unknown');
output('session', session);
output('events', events);
process.exitCode = code;
