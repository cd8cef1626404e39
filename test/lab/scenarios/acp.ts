import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { leftovers, type Place } from '../../contract/cli.js';
import { acpx } from '../../serve/acp/acpx.js';
import { begin, choose, type Editor, edit, failed, ofKind, said } from '../../serve/acp/editor.js';
import type { Bench } from '../harness/bench.js';
import { installedBin } from '../install.js';
import { TEXT } from '../model/texts.js';
import { programOf } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

function workplace(bench: Bench, name: string): Place {
  const cwd = join(bench.folder, name);
  mkdirSync(cwd, { recursive: true });
  const mark = `acp-${process.pid}-${bench.recipe.runtime}-${name}`;
  return { cwd, mark, env: { ...bench.env(), TURNOUT_TEST_MARK: mark } };
}

function args({ recipe }: Bench): string[] {
  const runtime = recipe.asCommand ? `acp:${installedBin(programOf(recipe)) ?? ''}` : recipe.runtime;
  return ['--runtime', runtime, ...(recipe.model === null ? [] : ['--model', recipe.model])];
}

const order = (text: string) => `SCENARIO:${text}\n(acp-end)`;
const prompt = (editor: Editor, sessionId: string, text: string) =>
  editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: order(text) }] });

async function talks(bench: Bench, where: Place): Promise<string> {
  const editor = await edit({ place: where, args: args(bench), permit: choose('allow_once') });
  const session = await begin(editor);
  const answer = await prompt(editor, session, 'text first-of-two');
  bench.check('text', said(editor).endsWith(TEXT), JSON.stringify(said(editor)).slice(0, 300));
  bench.check('stop', answer.stopReason === 'end_turn', JSON.stringify(answer));
  await prompt(editor, session, 'shell echo seen-by-acp');
  const calls = ofKind(editor, 'tool_call');
  const ends = ofKind(editor, 'tool_call_update');
  const shown = JSON.stringify({ calls, ends });
  bench.check(
    'tool',
    calls.some(({ kind }) => kind === 'execute'),
    shown.slice(0, 400),
  );
  bench.check(
    'tool-end',
    ends.some(({ status }) => status === 'completed'),
    shown.slice(0, 400),
  );
  await editor.quit();
  return session;
}

async function asks(bench: Bench, where: Place): Promise<void> {
  for (const kind of ['allow_once', 'reject_once']) {
    const file = `acp-${kind}.txt`;
    const editor = await edit({ place: where, args: args(bench), permit: choose(kind) });
    await prompt(editor, await begin(editor), `escalate touch ${file}`);
    const asked = editor.questions.length > 0;
    const there = existsSync(join(where.cwd, file));
    bench.check(
      kind,
      !asked || there === (kind === 'allow_once'),
      `asked, and the file is ${there ? '' : 'not '}there`,
    );
    const [question] = editor.questions;
    bench.check('question', !asked || JSON.stringify(question).includes(file), JSON.stringify(question).slice(0, 300));
    await editor.quit();
  }
}

async function cancels(bench: Bench, where: Place): Promise<void> {
  const editor = await edit({ place: where, args: args(bench) });
  const session = await begin(editor);
  const waiting = prompt(editor, session, 'hang');
  await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
  await editor.agent.notify('session/cancel', { sessionId: session });
  const answer = await waiting;
  bench.check('cancel', answer.stopReason === 'cancelled', JSON.stringify(answer));
  const ended = await editor.quit();
  bench.check('exit', ended.code === 0 && !ended.late, `exit ${ended.code}: ${ended.stderr.slice(-300)}`);
  const noise = ended.lines.filter((line) => !line.startsWith('{"jsonrpc":"2.0"'));
  bench.check('noise', noise.length === 0, noise.join('\n').slice(0, 300));
}

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

async function brings(bench: Bench, where: Place): Promise<void> {
  const editor = await edit({ place: where, args: args(bench), permit: choose('allow_once') });
  const server = join(bench.root, 'test', 'lab', 'harness', 'mcp-server.mjs');
  const lab = { name: 'labserver', command: process.execPath, args: [server], env: [] };
  const session = await begin(editor, { mcpServers: [lab] });
  const served = await prompt(editor, session, 'tool lab_ping {"word":"hi"}').then(
    () => said(editor, session).includes('pong hi'),
    // One that loads none says so.
    (error) => /MCP|mcp/.test(String(error.message)),
  );
  bench.check('mcp', served, said(editor, session).slice(-300));
  const looking = await begin(editor);
  const picture = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
  const text = { type: 'text' as const, text: order('text with-picture') };
  const seen = await editor.agent.request('session/prompt', { sessionId: looking, prompt: [text, picture] }).then(
    () => JSON.stringify(bench.model.log.holding('with-picture').map(({ body }) => body)).includes(PIXEL.slice(0, 11)),
    (error) => /image/.test(String(error.message)),
  );
  bench.check('image', seen, 'the picture neither arrived nor was refused');
  await editor.quit();
}

async function forks(bench: Bench, where: Place, session: string): Promise<void> {
  const editor = await edit({ place: where, args: args(bench) });
  const { sessionId } = await editor.agent.request('session/fork', { sessionId: session, cwd: where.cwd });
  await prompt(editor, sessionId, 'text fork-asks');
  const told = JSON.stringify(bench.model.log.holding('fork-asks').map(({ body }) => body));
  bench.check('fork', told.includes('first-of-two'), 'a fork does not know what was said');
  await editor.quit();
}

async function remembers(bench: Bench, where: Place, session: string): Promise<void> {
  const editor = await edit({ place: where, args: args(bench) });
  await editor.agent.request('session/load', { sessionId: session, cwd: where.cwd, mcpServers: [] });
  bench.check('replay', said(editor).includes(TEXT), JSON.stringify(said(editor)).slice(0, 300));
  bench.check('replay-tool', ofKind(editor, 'tool_call').length > 0, 'no tool call was told again');
  const before = editor.updates.length;
  await prompt(editor, session, 'remember');
  const now = said({ ...editor, updates: editor.updates.slice(before) });
  bench.check('memory', now.includes('first-of-two'), now.slice(0, 300));
  await editor.quit();
}

export const acpScenarios: readonly Scenario[] = [
  {
    name: 'acp',
    title: 'Through `turnout acp`: text, tools, permissions, cancel, load after a restart',
    needs: 'acp',
    smoke: true,
    async run(bench) {
      const where = workplace(bench, 'acp');
      const session = await talks(bench, where);
      await remembers(bench, where, session);
      await asks(bench, where);
      await cancels(bench, where);
      const left = await leftovers(where.mark);
      bench.check('leftovers', left.length === 0, `left running: ${left.join(', ')}`);
    },
  },
  {
    name: 'acp-more',
    title: "Through `turnout acp`: the client's MCP servers, pictures, a fork",
    needs: 'acp',
    async run(bench) {
      const where = workplace(bench, 'more');
      const editor = await edit({ place: where, args: args(bench) });
      const session = await begin(editor);
      await prompt(editor, session, 'text first-of-two');
      await editor.quit();
      await forks(bench, where, session);
      await brings(bench, where);
    },
  },
  {
    name: 'acp-login',
    title: 'Through `turnout acp`: a user who is not logged in is told the same',
    needs: 'acp',
    async run(bench) {
      const direct = (await bench.turn('text', { loggedOut: true })).first('error')?.code;
      const where = { ...workplace(bench, 'login'), env: bench.env(true) };
      const editor = await edit({ place: where, args: args(bench) });
      const refused = await failed(prompt(editor, await begin(editor), 'text'));
      const { code, data } = refused;
      bench.check(
        'code',
        data['code'] === direct,
        `${String(direct)} by itself: ${JSON.stringify(refused).slice(0, 300)}`,
      );
      bench.check('number', (code === -32000) === (direct === 'auth'), JSON.stringify(refused).slice(0, 300));
      await editor.quit();
    },
  },
  {
    name: 'acpx',
    title: 'acpx 0.19.1 through `turnout acp`: prompt, tool, session resume',
    needs: 'acp',
    programs: ['acpx'],
    async run(bench) {
      const where = workplace(bench, 'acpx');
      const client = acpx({ root: bench.root, cwd: where.cwd, env: where.env, args: args(bench) });
      if (client === null) return;
      await client.run('sessions', 'new');
      const first = await client.run('prompt', order('text first-of-two'));
      bench.check('text', first.stdout.includes(TEXT), `${first.stdout.slice(-300)}${first.stderr.slice(-200)}`);
      const tool = await client.run('--approve-all', 'prompt', order('escalate touch by-acpx.txt'));
      bench.check('tool', tool.code === 0, tool.stdout.slice(-300));
      await leftovers(where.mark);
      const second = await client.run('prompt', order('remember'));
      bench.check('memory', second.stdout.includes('first-of-two'), second.stdout.slice(-300));
      const left = await leftovers(where.mark);
      bench.check('leftovers', left.length === 0, `left running: ${left.join(', ')}`);
    },
  },
];
