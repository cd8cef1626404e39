/** How a person adds our MCP server to a program (docs/mcp.md), and lets it work with it. */

type Variables = Readonly<Record<string, string>>;

export interface Adding {
  /**
   * Its arguments, given how our server is started. Variables are for our server, since most programs pass on few of
   * their own, and none that look like keys.
   */
  add(argv: readonly string[], env?: Variables): string[];
  list: string[];
  found: RegExp;
  env?: Variables;
  /** Runs one prompt whose model may call `agent_exec` unasked. */
  ask(prompt: string, model: string): { argv: string[]; stdin?: string };
}

const pairs = (flag: string, env: Variables = {}): string[] =>
  Object.entries(env).flatMap(([name, value]) => [flag, `${name}=${value}`]);

export const ADDING: Record<string, Adding> = {
  claude: {
    add: (argv, env) => ['mcp', 'add', 'turnout', ...pairs('-e', env), '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout: .* ✔ Connected/,
    // Its tools are behind a search otherwise, and it does not wait for servers that are slow to start.
    env: { ENABLE_TOOL_SEARCH: 'false', MCP_CONNECTION_NONBLOCKING: 'false' },
    // The list of tools takes every word behind it, so it comes last.
    ask: (prompt, model) => ({ argv: ['-p', prompt, '--model', model, '--allowedTools', 'mcp__turnout__agent_exec'] }),
  },
  codex: {
    add: (argv, env) => ['mcp', 'add', 'turnout', ...pairs('--env', env), '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout .* enabled/,
    ask: (prompt, model) => ({
      argv: [
        ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model],
        // Without it a turn begins before the server is there.
        ...['-c', 'mcp_servers.turnout.required=true', prompt],
      ],
    }),
  },
  gemini: {
    add: (argv, env) => ['mcp', 'add', '--scope', 'user', ...pairs('-e', env), 'turnout', ...argv],
    list: ['mcp', 'list'],
    found: /turnout: .* Connected/,
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    ask: (prompt, model) => ({ argv: ['-p', prompt, '-m', model, '--approval-mode', 'yolo'] }),
  },
  opencode: {
    add: (argv, env) => ['mcp', 'add', 'turnout', ...pairs('--env', env), '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout .*connected/,
    // It puts an argument with blanks in quotes.
    ask: (prompt, model) => ({ argv: ['run', '-m', model], stdin: prompt }),
  },
};
