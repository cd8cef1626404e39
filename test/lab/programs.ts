/** What to install for one real program. The table is the only place that names packages and versions. */
export type Program = {
  id: string;
  source: 'npm' | 'pip';
  packages: readonly string[];
  /** An npm package whose own dependencies can't be had: its tarball goes to `package/`, what it really needs is in `packages`. */
  unpack?: string;
  /** pip: the Python it wants, as `python3.12` names it; else the one called `python3`. */
  python?: string;
  /** pip: requirements to install in place of what its package pins. */
  instead?: readonly string[];
  /** The executable, relative to the program's folder. On Windows npm adds `.cmd`. */
  bin: string;
  /** Set when the program does not start on the Node that runs the lab: its script is then run by this newer one. */
  node?: 24;
  /** What `--version` prints, as far as it does not change with time. */
  version: string;
  /** Installed by `install` without arguments: the programs the smoke tests and CI need. */
  first?: true;
  /** Below the lab's folder, when it is not the id. */
  folder?: string;
};

const npmBin = (name: string): string => `node_modules/.bin/${name}`;

const table: Program[] = [
  {
    id: 'claude',
    source: 'npm',
    packages: ['@anthropic-ai/claude-code@2.1.332'],
    bin: npmBin('claude'),
    version: '2.1.332',
    first: true,
  },
  {
    id: 'codex',
    source: 'npm',
    packages: ['@openai/codex@0.171.0'],
    bin: npmBin('codex'),
    version: '0.171.0',
    first: true,
  },
  {
    id: 'gemini',
    source: 'npm',
    packages: ['@google/gemini-cli@0.61.0'],
    bin: npmBin('gemini'),
    version: '0.61.0',
    first: true,
  },
  {
    id: 'opencode',
    source: 'npm',
    packages: ['opencode-ai@1.18.33'],
    bin: npmBin('opencode'),
    version: '1.18.33',
    first: true,
  },
  {
    id: 'qwen',
    source: 'npm',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    bin: 'node_modules/@qwen-code/qwen-code/cli.js',
    node: 24,
    version: '0.24.4',
  },
  { id: 'copilot', source: 'npm', packages: ['@github/copilot@1.0.102'], bin: npmBin('copilot'), version: '1.0.102' },
  { id: 'kilo', source: 'npm', packages: ['@kilocode/cli@7.7.7'], bin: npmBin('kilo'), version: '7.7.7' },
  { id: 'cline', source: 'npm', packages: ['cline@3.0.65'], bin: npmBin('cline'), version: '3.0.65' },
  {
    id: 'pi',
    source: 'npm',
    packages: ['@earendil-works/pi-coding-agent@1.6.0'],
    bin: npmBin('pi'),
    node: 24,
    version: '1.6.0',
  },
  // The wrapper package pins a platform package that does not exist for its newest release.
  {
    id: 'droid',
    source: 'npm',
    packages: ['@factory/cli-linux-x64@0.225.2'],
    bin: 'node_modules/@factory/cli-linux-x64/bin/droid',
    version: '0.225.2',
  },
  { id: 'auggie', source: 'npm', packages: ['@augmentcode/auggie@0.36.0'], bin: npmBin('auggie'), version: '0.36.0' },
  {
    id: 'letta',
    source: 'npm',
    unpack: '@letta-ai/letta-code@0.32.18',
    packages: ['ws@8', 'node-pty', 'sharp', 'undici', 'tslib'],
    bin: 'package/letta.js',
    node: 24,
    version: '0.32.18',
  },
  { id: 'continue', source: 'npm', packages: ['@continuedev/cli@1.5.47'], bin: npmBin('cn'), version: '1.5.47' },
  {
    id: 'nanocoder',
    source: 'npm',
    packages: ['@nanocollective/nanocoder@1.30.0'],
    bin: npmBin('nanocoder'),
    node: 24,
    version: '1.30.0',
  },
  { id: 'grok-cli', source: 'npm', packages: ['@vibe-kit/grok-cli@0.0.34'], bin: npmBin('grok'), version: '0.0.34' },
  {
    id: 'claude-agent-acp',
    source: 'npm',
    packages: ['@agentclientprotocol/claude-agent-acp@0.101.0'],
    bin: npmBin('claude-agent-acp'),
    node: 24,
    version: '0.101.0',
  },
  {
    id: 'codex-acp',
    source: 'npm',
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    bin: npmBin('codex-acp'),
    version: '2.6.0',
  },
  // A client of agents: it drives `turnout acp`.
  {
    id: 'acpx',
    source: 'npm',
    packages: ['acpx@0.19.1'],
    bin: npmBin('acpx'),
    node: 24,
    version: '0.19.1',
    first: true,
  },
  { id: 'aider', source: 'pip', packages: ['aider-chat==0.86.2'], bin: 'venv/bin/aider', version: '0.86.2' },
  {
    id: 'openhands',
    source: 'pip',
    packages: ['openhands==1.16.0'],
    python: '3.12',
    bin: 'venv/bin/openhands',
    version: '1.16.0',
  },
  // It pins a version of certifi that was replaced by a corrected one.
  {
    id: 'vibe',
    source: 'pip',
    packages: ['mistral-vibe==3.0.3'],
    python: '3.12',
    instead: ['certifi==2026.10.19.post1'],
    bin: 'venv/bin/vibe-acp',
    version: '3.0.3',
  },
  {
    id: 'kimi',
    source: 'npm',
    packages: ['@moonshot-ai/kimi-code@2.1.0'],
    bin: npmBin('kimi'),
    node: 24,
    version: '2.1.0',
  },
  // The last one that does anything: 1.52.0 only prints that it is no longer maintained. It fails on Python 3.12.1.
  {
    id: 'kimi-cli',
    source: 'pip',
    packages: ['kimi-cli==1.51.0'],
    python: '3.13',
    bin: 'venv/bin/kimi',
    version: '1.51.0',
  },
  {
    id: 'hermes',
    source: 'pip',
    packages: ['hermes-agent[acp,mcp]==0.19.0'],
    bin: 'venv/bin/hermes',
    version: '0.19.0',
  },
  { id: 'gptme', source: 'pip', packages: ['gptme==0.35.1'], bin: 'venv/bin/gptme', version: '0.35.1' },
  // Not agents: what others wrote to check MCP servers with.
  {
    id: 'mcp-inspector',
    source: 'npm',
    packages: ['@modelcontextprotocol/inspector@2.12.0'],
    bin: 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    node: 24,
    version: '2.12.0',
  },
  {
    id: 'mcp-conformance',
    source: 'npm',
    packages: ['@modelcontextprotocol/conformance@0.1.16'],
    bin: 'node_modules/@modelcontextprotocol/conformance/dist/index.js',
    node: 24,
    version: '0.1.16',
  },
  // Not agents either: what others write programs with that ask a model.
  {
    id: 'openai-js',
    source: 'npm',
    packages: [
      'openai@6.49.0',
      'ai@6.0.326',
      '@ai-sdk/openai@3.0.141',
      '@ai-sdk/openai-compatible@2.0.92',
      '@ai-sdk/anthropic@3.0.140',
      '@anthropic-ai/sdk@1.14.0',
      '@langchain/openai@1.5.8',
      '@langchain/core@1.4.0',
      '@langchain/langgraph@1.7.3',
      'zod@4.6.7',
    ],
    bin: npmBin('anthropic-ai-sdk'),
    version: '1.14.0',
  },
  {
    id: 'openai-py',
    source: 'pip',
    packages: ['llm==0.36', 'openai==3.57.0', 'anthropic==2.14.0', 'langchain-openai==1.7.4', 'langgraph==1.2.24'],
    bin: 'venv/bin/llm',
    version: '0.36',
  },
];

export const programs: readonly Program[] = table;

/**
 * For the rest of this process the program is that version, in a folder of its own beside the pinned one.
 * @throws {Error} an unknown program, or one whose package does not carry its version
 */
export function pinTo(id: string, version: string): Program {
  const at = table.findIndex((program) => program.id === id);
  const program = table[at];
  if (program === undefined) throw new Error(`unknown program: ${id}. Known: ${table.map((one) => one.id).join(', ')}`);
  const end = `@${program.version}`;
  const packages = program.packages.map((one) => (one.endsWith(end) ? `${one.slice(0, -end.length)}@${version}` : one));
  if (!program.packages.some((one) => one.endsWith(end)))
    throw new Error(`${id}: no package of it ends with ${end}, so that another version can't be named`);
  const pinned = {
    ...program,
    packages,
    version,
    ...(version === program.version ? {} : { folder: `${id}@${version}` }),
  };
  table[at] = pinned;
  return pinned;
}
