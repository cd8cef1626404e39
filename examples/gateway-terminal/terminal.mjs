#!/usr/bin/env node
// A terminal client of the gateway in one file: attaches to a session on a running server, shows what happens in it, sends
// prompts, answers questions, and comes back after a lost connection without missing an event.
//
//   turnout agent serve --transport http          # says where it listens, and where its token is
//   TURNOUT_TOKEN=… node terminal.mjs [ws://127.0.0.1:8889/api/ws] [SESSION]
//
// Without SESSION it goes on with the one that was used last, or begins one. A line is a prompt; while a question is open it
// is the answer; `/stop` interrupts, `/quit` leaves (the session goes on).
import { createInterface } from 'node:readline';
import WebSocket from 'ws';

const [url = 'ws://127.0.0.1:8889/api/ws', wanted] = process.argv.slice(2);
const token = process.env.TURNOUT_TOKEN ?? '';
const write = (text) => process.stdout.write(text);

let socket;
let session = wanted;
let number = 0;
/** Answers that are waited for. */
const waiting = new Map();
/** Questions that wait for the person, oldest first. */
const questions = [];
/** The number of the last event that was shown, and what numbers belong to. */
let last = 0;
let epoch;
/** Events that came while the missed ones were asked for. */
let held = null;

function send(frame) {
  socket.send(JSON.stringify({ jsonrpc: '2.0', ...frame }));
}

function call(method, params = {}) {
  const id = `c${++number}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function show({ type, payload = {}, session_id, seq }) {
  if (session_id !== session) return;
  if (seq !== undefined) {
    if (seq <= last) return;
    last = seq;
  }
  if (type === 'message.start') write(`\n> ${payload.input}\n`);
  if (type === 'message.delta') write(payload.text);
  if (type === 'tool.start') write(`\n[${payload.context}]\n`);
  if (type === 'message.complete')
    write(payload.status === 'complete' ? '\n' : `\n(${payload.status}${payload.error ? `: ${payload.error}` : ''})\n`);
  if (type === 'request.cancel') {
    const at = questions.findIndex(({ id }) => id === payload.id);
    if (at >= 0) questions.splice(at, 1);
    write(`\n(the question was settled: ${payload.reason})\n`);
  }
}

function ask(question) {
  if (questions.some(({ id }) => id === question.id)) return;
  questions.push(question);
  const { params, method } = question;
  if (method === 'approval') write(`\n? ${params.description}  (${params.choices.join(', ')})\n`);
  for (const { question: text, choices } of params.questions ?? [])
    write(`\n? ${text}${choices ? `  (${choices.join(', ')})` : ''}\n`);
}

/** A person's line as the answer to the oldest question; of several parts, one line for each. */
function answer(line) {
  const question = questions[0];
  const { id, method, params } = question;
  if (method === 'clarify') {
    question.lines = [...(question.lines ?? []), line];
    if (question.lines.length < params.questions.length) return;
  }
  questions.shift();
  const answers = (params.questions ?? []).map(({ qid }, index) => [qid, question.lines[index] || null]);
  send({ id, result: method === 'approval' ? { choice: line } : { answers: Object.fromEntries(answers) } });
}

function hear(frame) {
  const { id, method, params, result, error } = frame;
  if (method === 'event') {
    if (params.type === 'gateway.ready') return ready(params.payload);
    return held ? held.push(params) : show(params);
  }
  if (method !== undefined) return ask(frame);
  const one = waiting.get(id);
  waiting.delete(id);
  if (error) one?.reject(new Error(error.message));
  else one?.resolve(result);
}

/** Attaches, and shows what was missed before what comes now. */
async function ready(payload) {
  if (epoch !== payload.replay_epoch) last = 0;
  epoch = payload.replay_epoch;
  held = [];
  await call('client.capabilities', { server_requests: true });
  session ??= (await call('session.most_recent')).session_id ?? (await call('session.create')).session_id;
  const now = await call('session.resume', { session_id: session, omit_messages: true });
  session = now.session_id;
  const missed = await call('session.events.since', { session_id: session, last_seen: last });
  const live = held;
  held = null;
  for (const event of [...missed.events, ...live]) show(event);
  for (const question of now.open_requests) ask(question);
  write(`\n(attached to ${session}: ${now.status})\n`);
}

function connect() {
  socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  // A server that is not reached any more drops the socket within two pings.
  const beat = setInterval(() => socket.readyState === 1 && call('gateway.ping').catch(() => {}), 15_000);
  socket.on('message', (data) => hear(JSON.parse(data)));
  socket.on('error', (error) => write(`(${error.message})\n`));
  socket.on('close', () => {
    clearInterval(beat);
    for (const { reject } of waiting.values()) reject(new Error('the connection was lost'));
    waiting.clear();
    questions.length = 0;
    setTimeout(connect, 1000);
  });
}

process.on('unhandledRejection', (error) => write(`(${error.message})\n`));
connect();
createInterface({ input: process.stdin }).on('line', async (line) => {
  if (line === '/quit') process.exit(0);
  if (line === '/stop') return call('session.interrupt', { session_id: session });
  if (questions.length > 0) return answer(line);
  if (line.trim() !== '') await call('prompt.submit', { session_id: session, text: line });
});
