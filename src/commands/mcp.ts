import * as Flags from '@oclif/core/flags';
import { ACCESS_MODES } from '../contract/vocabulary.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { TurnoutCommand } from './base.js';
import { LOG_FLAGS, logOf } from './log-flags.js';
import { APPROVALS, mcpAllowed } from './mcp-allowed.js';

export default class Mcp extends TurnoutCommand {
  static override summary = 'Be an MCP server on stdin and stdout: agents as tools for any program that speaks MCP.';
  static override description =
    'docs/mcp.md describes the tools and how to add this server to Claude Code, Codex, Gemini CLI and others. ' +
    'It ends when stdin does, with everything it started.';
  static override examples = [
    'claude mcp add turnout -- <%= config.bin %> mcp',
    'codex mcp add turnout -- <%= config.bin %> mcp --runtime claude',
  ];
  static override flags = {
    runtime: Flags.string({
      char: 'r',
      summary: 'the agent of calls that name none; auto takes the first that is installed',
      helpValue: 'ID',
      default: 'auto',
    }),
    access: Flags.string({
      summary: 'the highest mode that a caller may ask for',
      options: [...ACCESS_MODES],
      default: 'scoped',
    }),
    approvals: Flags.string({
      summary: 'who may allow what an agent asks permission for: the person, also the caller, nobody',
      options: [...APPROVALS],
      default: 'ask',
    }),
    cwd: Flags.string({ summary: 'the folder of calls that name none (.)', helpValue: 'DIR' }),
    store: Flags.string({ summary: 'keep sessions in this file (in memory)', helpValue: 'PATH' }),
    'max-depth': Flags.integer({ summary: 'how deep agents may start agents (2)', helpValue: 'N', min: 1, max: 100 }),
    ...LOG_FLAGS,
    concurrency: Flags.integer({ summary: 'turns at once; more wait (5 for each core)', helpValue: 'N', min: 1 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { runMcp } = await import('../serve/mcp/run.js');
    await runMcp({
      ...mcpAllowed({ ...flags, maxDepth: flags['max-depth'] }),
      cwd: flags.cwd,
      store: flags.store,
      concurrency: flags.concurrency,
      env: process.env,
      turnout: ownArgv(),
      version: VERSION,
      log: logOf(flags),
    });
    await this.print('');
    // stdin may be open still, and what holds it open is not ours to wait for.
    process.exit(0);
  }
}
