/** OpenHands over ACP (1.16.0). Its model comes from its settings alone: the protocol's ways to choose one do nothing. */

import type { Json } from '../src/contract/vocabulary.js';
import type { Spent } from '../src/runner/action.js';
import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Runner } from '../src/runner/runner.js';
import { num, str } from '../src/text/json.js';
import type { RpcError } from '../src/text/json-rpc.js';
import { acpAgent } from './dialects/acp/agent.js';
import type { Failure } from './dialects/acp/quirks.js';
import { litellmFailure } from './dialects/litellm.js';

/** What the conversation has cost so far, beside every update. A cost of 0 is that of a model without a price. */
function totals(params: Json): Spent | null {
  const told = (name: string) => num(params, '_meta', 'field_meta', 'openhands.dev/metrics', name);
  const input = told('input_tokens');
  const output = told('output_tokens');
  if (input === undefined || output === undefined || input + output === 0) return null;
  return { input, output, cached: told('cache_read_tokens') ?? null, costUsd: told('cost') || null };
}

/** `details`: "Conversation run failed for id=…: litellm.AuthenticationError: …", a blank line, and where its log is. */
function classify(error: RpcError): Failure | undefined {
  const details = str(error.data, 'details')?.split('\n\n')[0];
  const words = /^Conversation run failed for id=\S+: (.*)$/s.exec(details ?? '')?.[1];
  if (words === undefined) return undefined;
  return litellmFailure(words) ?? { code: 'runner-error', message: words };
}

const agent = acpAgent({
  id: 'openhands',
  title: 'OpenHands',
  bins: ['openhands'],
  packages: ['openhands'],
  // Measured up to 82 s before its greeting, on two busy cores.
  startupMs: 120_000,
  install: { kind: 'manual' },
  installHint: 'uv tool install --python 3.12 openhands',
  loginHint: 'openhands',
  configFiles: ['~/.openhands/agent_settings.json', '~/.openhands/mcp.json'],
  // `14:19:41 - LiteLLM:WARNING: …`, `2026-11-30 14:36:32,009 - openhands_cli… - INFO - …`
  chatter: /^(?:\d{2}:\d{2}:\d{2} - LiteLLM:|\d{4}-\d{2}-\d{2} [\d:,]+ - \S+ - (?:INFO|WARNING) - |[|+ ])/,
  testedVersions: ['1.16.0'],
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  images: true,
  reportsCost: true,
  streamsIncrementally: false,
  // It asks before every call and does not say which: a call of the caller's tools could not be distinguished from others.
  toolTransport: 'prompt',
  decidesPerCommand: false,
  access: {
    scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  confine: {
    state: [
      {
        at: '~/.openhands',
        variable: 'OPENHANDS_PERSISTENCE_DIR',
        sessions: ['conversations'],
        config: ['agent_settings.json', 'cli_config.json', 'mcp.json', 'skills', 'microagents', 'hooks.json'],
      },
    ],
  },
  settingsLoaded: ['user agent_settings.json, MCP servers and skills', 'project AGENTS.md, skills and hooks'],
  args: () => ['acp'],
  // Its log is broken into lines as wide as the screen, secrets too.
  env: () => ({ OPENHANDS_SUPPRESS_BANNER: '1', COLUMNS: '1000' }),
  quirks: {
    title: 'OpenHands',
    mcpNames: ['{server}_{tool}'],
    commandMarks: '/',
    looseQuestions: /^confirmation-/,
    shownExit: /^\S+ Exit code: (\d+)$/gm,
    emptyIsGone: true,
    // It shows the system prompt of a new conversation as a thought, and a failure as an answer.
    notModel: /^(?:System Prompt:\n|Error: Conversation run failed for id=)/,
    classify,
    thoughtNoise: /^\n\*\*Thought\*\*:\n/,
    nameInTitle: /^([\w.-]+)(?:: |$)/,
    mode: { ids: { scoped: 'always-ask', full: 'always-approve' }, required: true },
    totals,
  },
});

function invoke(request: TurnRequest, machine: Machine): ReturnType<Runner['invoke']> {
  if (request.mcpServers.length > 0 && request.access !== 'full') {
    const why = 'OpenHands asks before every call and does not say of which tool';
    return { refuse: 'unsupported', message: `${why}: MCP servers need --access full` };
  }
  if (request.model === null) return agent.invoke(request, machine);
  const message =
    'OpenHands takes its model from its settings: leave --model out, or choose one in `openhands` with /settings';
  return { refuse: 'unsupported', message };
}

const runner: Runner = { ...agent, invoke };

export default runner;
