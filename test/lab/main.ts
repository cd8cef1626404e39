import { type RunOptions, run } from './campaign.js';
import { codingChecks } from './coding/checks.js';
import { drift } from './drift.js';
import { gatewayChecks } from './gateway/checks.js';
import { importFolder } from './import.js';
import { install } from './install.js';
import { mcpChecks } from './mcp/checks.js';
import { startModel } from './model/server.js';
import { openaiChecks } from './openai/checks.js';
import { playRecordings as playOpenai } from './openai/recordings.js';
import { programs } from './programs.js';

const usage = `usage: npm run lab -- COMMAND
  install [program…] [--all]             install pinned programs (default: those the lab always runs)
  run [runtime…] [--all] [--only name,…] [--core] [--smoke] [--record] [--dry]
                                         run scenarios through our program (default: the four); --core: the rows
                                         that every program is asked for; --record keeps a recording of each turn;
                                         --dry leaves docs/compatibility.md alone
  drift PROGRAM@VERSION [--only name,…]  install that version, run the smoke rows (or those named), compare its lines with
                                         the recorded vocabulary, and write what was seen for scan and doctor
  mcp                                    let the MCP Inspector and the conformance suite look at our MCP server
  gateway [--recordings FOLDER]          let the original terminal client work with our gateway; or compare our answers
                                         with recordings of the original
  coding                                 the same steps on the coding service of flyto-ai and on ours, compared
  openai [model…]                        let SDKs and agent programs be clients of our server; only these models
                                         (demo, claude/…:chat); none: agent programs alone; with --recordings FOLDER
                                         compare our answers with recordings of hermes-agent
  model [--port N] [--log FILE]          only serve the scripted model, until interrupted
  import FROM TO                         turn a folder of raw captures into recordings
`;

function option(argv: readonly string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
}

function runOptions(argv: readonly string[], root: string): RunOptions {
  const only = option(argv, '--only')?.split(',') ?? [];
  const runtimes = argv.filter((word, n) => !word.startsWith('--') && argv[n - 1] !== '--only');
  const given = (name: string): boolean => argv.includes(name);
  return {
    ...{ root, runtimes, only, all: given('--all'), core: given('--core'), smoke: given('--smoke') },
    ...{ record: given('--record'), dry: given('--dry') },
  };
}

async function serveModel(argv: readonly string[]): Promise<number> {
  const logFile = option(argv, '--log');
  const server = await startModel({ port: Number(option(argv, '--port') ?? 0), ...(logFile ? { logFile } : {}) });
  console.log(server.url);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}

function openaiLab(root: string, argv: readonly string[]): Promise<number> {
  const folder = option(argv, '--recordings');
  return folder === undefined ? openaiChecks(root, argv) : playOpenai(root, folder);
}

/** The lab's command line. Returns the exit code. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'install':
      return install(rest.includes('--all') ? programs.map((program) => program.id) : rest);
    case 'run':
      return run(runOptions(rest, root));
    case 'drift': {
      const given = /^([^@]+)@(\d[0-9A-Za-z.+-]*)$/.exec(rest[0] ?? '');
      if (given !== null) return drift(root, given[1] ?? '', given[2] ?? '', runOptions(rest.slice(1), root));
      console.error(usage);
      return 2;
    }
    case 'gateway':
      return gatewayChecks(root, option(rest, '--recordings'));
    case 'coding':
      return codingChecks(root);
    case 'openai':
      return openaiLab(root, rest);
    case 'mcp':
      return mcpChecks(root);
    case 'model':
      return serveModel(rest);
    case 'import': {
      const [from, to] = rest;
      if (from !== undefined && to !== undefined) return importFolder(from, to);
      console.error(usage);
      return 2;
    }
    default:
      console.error(usage);
      return 2;
  }
}
