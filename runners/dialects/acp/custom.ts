/** `--runtime acp:<command line>`: any agent that speaks ACP on its stdio, of which nothing else is known. */

import type { Runner } from '../../../src/runner/runner.js';
import { type Adapter, adapterIn } from './adapters.js';
import { acpAgent, UNPROVEN } from './agent.js';

/** Ways in which agents were seen to name the tools of an MCP server. */
export const SEEN_NAMES: readonly string[] = [
  '{tool} ({server} MCP Server)',
  'mcp__{server}__{tool}',
  'mcp_{server}_{tool}',
  '{server}___{tool}',
  '{server}__{tool}',
  '{server}_{tool}',
  '{server}-{tool}',
  '{server}.{tool}',
  'mcp.{server}.{tool}',
  '{server}/{tool}',
  '{tool}_{server}',
];

/** @param words the program and its arguments, split by the caller; there is no shell */
export function customAgent(words: readonly string[]): Runner {
  const [program = '', ...rest] = words;
  const { quirks = {}, ...known }: Partial<Adapter> = adapterIn(words) ?? {};
  return acpAgent({
    id: 'acp',
    title: program,
    bins: [program],
    packages: [],
    install: { kind: 'manual' },
    installHint: `put ${program} on the PATH`,
    loginHint: null,
    effort: true,
    asksQuestions: true,
    access: UNPROVEN,
    args: () => rest,
    ...known,
    quirks: {
      title: known.title ?? program,
      mcpNames: SEEN_NAMES,
      commandMarks: '/',
      model: 'session',
      efforts: {},
      ...quirks,
    },
  });
}
