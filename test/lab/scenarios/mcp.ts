import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runProgramLater } from '../../run-program.js';
import { type Bench, markOfThisRun } from '../harness/bench.js';
import { type Found, processesWith } from '../harness/processes.js';
import { installedBin } from '../install.js';
import { ADDING } from '../mcp/adding.js';
import { TEXT } from '../model/texts.js';
import { claude } from '../recipes/claude.js';
import { codex } from '../recipes/codex.js';
import { binVariable } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

type Fields = Record<string, unknown>;

const LIMIT = '90s';
const PATIENCE = 120_000;

let marks = 0;

/** Variables of a user who is logged in, with a mark by which everything that is started is found. */
function marked(bench: Bench, extra: Record<string, string> = {}): { mark: string; env: Record<string, string> } {
  marks += 1;
  const mark = `${markOfThisRun}-mcp-${marks}-end`;
  return { mark, env: { ...bench.env(), ...extra, TURNOUT_LAB_MCP: mark } };
}

/** What is still alive a while after it should be gone. */
async function left(mark: string, fits: (found: Found) => boolean = () => true): Promise<string> {
  const until = Date.now() + 10_000;
  for (;;) {
    const found = processesWith(mark).filter(fits);
    if (found.length === 0 || Date.now() > until) return found.map(({ command }) => command).join(' | ');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const server = (bench: Bench): string[] => [process.execPath, join(bench.root, 'bin', 'turnout.js'), 'mcp'];

async function withClient(
  bench: Bench,
  era: 'legacy' | 'modern',
  work: (client: Client, mark: string) => Promise<void>,
): Promise<void> {
  const { mark, env } = marked(bench);
  const [command = '', ...args] = server(bench);
  const client = new Client(
    { name: 'lab', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  await client.connect(new StdioClientTransport({ command, args, env, cwd: bench.folder, stderr: 'ignore' }));
  try {
    await work(client, mark);
  } finally {
    await client.close();
  }
  const still = await left(mark);
  bench.check('leftovers', still === '', `left running: ${still}`);
}

function exec(bench: Bench, order: string): { name: string; arguments: Fields } {
  const { runtime, model } = bench.recipe;
  const prompt = `SCENARIO:${order}\n(mcp-end)`;
  return { name: 'agent_exec', arguments: { runtime, model, timeout: LIMIT, prompt, cwd: bench.folder } };
}

async function turns(bench: Bench, era: 'legacy' | 'modern'): Promise<void> {
  await withClient(bench, era, async (client, mark) => {
    const seen: string[] = [];
    const options = {
      timeout: PATIENCE,
      onprogress: ({ message = '' }: { message?: string }) => void seen.push(message),
    };
    const said = await client.callTool(exec(bench, 'text'), options);
    const content: Fields = { ...(said.structuredContent ?? {}) };
    bench.check('text', content.text === TEXT && said.isError !== true, JSON.stringify(said).slice(0, 400));
    bench.check('session', typeof content.native_session_id === 'string', 'the runtime told no session');
    bench.check('progress', seen.length > 0, 'no progress was told');

    const failed = await client.callTool(exec(bench, '401'), { timeout: PATIENCE });
    bench.check(
      'failure',
      failed.isError === true && JSON.stringify(failed.structuredContent).includes('"code":"auth"'),
      JSON.stringify(failed).slice(0, 400),
    );

    const off = new AbortController();
    const hanging = client.callTool(exec(bench, 'hang'), {
      timeout: PATIENCE,
      signal: off.signal,
      onprogress({ message = '' }) {
        if (message !== '' && message !== 'starting') off.abort();
      },
    });
    const outcome = await hanging.then(
      (result) => JSON.stringify(result).slice(0, 300),
      () => 'called off',
    );
    bench.check('cancel', outcome === 'called off', outcome);
    const agents = await left(mark, ({ command }) => !command.includes('turnout.js mcp'));
    bench.check('gone', agents === '', `left running after the cancel: ${agents}`);
  });
}

async function run(
  command: string,
  argv: readonly string[],
  cwd: string,
  env: Record<string, string>,
  stdin = '',
): Promise<string> {
  const { status, signal, stdout, stderr, error } = await runProgramLater(command, argv, {
    cwd,
    env,
    input: stdin,
    timeout: PATIENCE,
  });
  const how = status === 0 ? '' : `\n${command}: ${error?.message ?? signal ?? `exit code ${status}`}`;
  return `${stdout}${stderr}${how}`;
}

function writeFiles(home: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), content);
  }
}

/** A scratch home in which our server was added to the program as its documentation says. */
async function added(bench: Bench, forServer: Record<string, string> = {}) {
  const home = join(bench.folder, 'home');
  const cwd = join(bench.folder, 'work');
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  const how = ADDING[bench.recipe.runtime];
  const bin = installedBin(bench.recipe.runtime);
  if (how === undefined || bin === undefined) throw new Error(`it is not known how to add to ${bench.recipe.runtime}`);
  const setup = bench.recipe.setup({ url: bench.model.url, home });
  writeFiles(home, setup.files);
  const { mark, env: base } = marked(bench, how.env);
  const env = { ...base, HOME: home, USERPROFILE: home };
  const told = await run(bin, how.add(server(bench), forServer), cwd, env);
  return { how, bin, cwd, env, mark, home, told };
}

export const mcpScenarios: readonly Scenario[] = [
  {
    name: 'mcp',
    title: 'turns through `turnout mcp`: text, progress, an error, cancel',
    needs: 'mcp',
    run: (bench) => turns(bench, 'modern'),
  },
  {
    name: 'mcp-added',
    title: 'our MCP server is added by its own command, and found',
    needs: 'mcp',
    only: Object.keys(ADDING),
    async run(bench) {
      const { how, bin, cwd, env, mark, told } = await added(bench);
      let plain = '';
      // Gemini CLI waits a few seconds for a server, which is short on a busy machine.
      for (let tries = 3; tries > 0 && !how.found.test(plain); tries--) {
        const list = await run(bin, how.list, cwd, env);
        plain = list.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
      }
      bench.check('found', how.found.test(plain), `${told}\n${plain}`.slice(0, 800));
      const still = await left(mark);
      bench.check('leftovers', still === '', `left running: ${still}`);
    },
  },
  {
    name: 'mcp-calls',
    title:
      'it gives another program work by agent_exec through `turnout mcp`, and gets the answer however long it takes',
    needs: 'mcp',
    only: Object.keys(ADDING),
    async run(bench) {
      const other = bench.recipe.runtime === 'codex' ? claude : codex;
      const binary = installedBin(other.runtime);
      if (binary === undefined) return bench.check('other', false, `${other.runtime} is not installed in the lab`);
      const home = join(bench.folder, 'home');
      const theirs = other.setup({ url: bench.model.url, home });
      writeFiles(home, theirs.files);
      const named = { [binVariable(other.runtime)]: binary };
      const { how, bin, cwd, env, mark } = await added(bench, { ...theirs.env, ...named, HOME: home });
      // OpenCode's own limit is 5 s without progress.
      const order = {
        runtime: other.runtime,
        model: other.model,
        prompt: 'SCENARIO:slow 8\n(other-end)',
        timeout: LIMIT,
      };
      const prompt = `SCENARIO:tool agent_exec ${JSON.stringify(order)}\n(outer-end)`;
      const { argv, stdin } = how.ask(prompt, bench.recipe.model ?? '');
      const said = await run(bin, argv, cwd, env, stdin);
      const told = said.includes('Tool said:') && said.includes('tick 27');
      bench.check('answer', told, said.slice(-1500));
      const still = await left(mark);
      bench.check('leftovers', still === '', `left running: ${still}`);
    },
  },
];
