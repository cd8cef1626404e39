/** How a person adds our MCP server to a program (docs/mcp.md), and what the program then says of it. */

export interface Adding {
  /** Its arguments, given how our server is started. */
  add(argv: string[]): string[];
  list: string[];
  found: RegExp;
  env?: Record<string, string>;
}

export const ADDING: Record<string, Adding> = {
  claude: {
    add: (argv) => ['mcp', 'add', 'turnout', '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout: .* ✔ Connected/,
  },
  codex: {
    add: (argv) => ['mcp', 'add', 'turnout', '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout .* enabled/,
  },
  gemini: {
    add: (argv) => ['mcp', 'add', '--scope', 'user', 'turnout', ...argv],
    list: ['mcp', 'list'],
    found: /turnout: .* Connected/,
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  opencode: {
    add: (argv) => ['mcp', 'add', 'turnout', '--', ...argv],
    list: ['mcp', 'list'],
    found: /turnout .*connected/,
  },
};
