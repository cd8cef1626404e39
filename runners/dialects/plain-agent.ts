/** A runner for a program that prints its answer as text, of which only its documents are known: what differs is data. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../../src/runner/runner.js';
import { type PlainProgram, plainText } from './plain-text.js';
import { promptToolsRequest, withPromptTools } from './prompt-tools.js';
import { UNSEEN } from './unseen.js';

type Names = Pick<Runner, 'id' | 'title' | 'bins' | 'packages' | 'install' | 'installHint' | 'loginHint'>;

export interface PlainAgent extends Names, Partial<Omit<Runner, keyof Names | 'invoke' | 'converse' | 'tools'>> {
  invoke(request: TurnRequest, machine: Machine): Invocation | Refusal;
  /** The prompt where stdin carries it. */
  stdin?: (request: TurnRequest) => string;
  program?: Partial<Omit<PlainProgram, 'title'>>;
}

const DEFAULTS = { ...UNSEEN, transport: 'plain-text', toolActivity: 'none' } as const;

/** Each round sends the whole transcript: the program never reports a session id. */
export function plainAgent({ invoke, stdin, program, ...more }: PlainAgent): Runner {
  const plain: PlainProgram = { title: more.title, grows: false, failure: () => null, ...program };
  const refusing = (request: TurnRequest, machine: Machine): Invocation | Refusal => {
    if (request.mcpServers.length === 0) return invoke(request, machine);
    return { refuse: 'unsupported', message: `how ${more.title} takes MCP servers for one turn is not known here` };
  };
  const converse = (request: TurnRequest) => plainText(plain, stdin?.(request) ?? null);
  const inner = { invoke: refusing, converse, remembers: false };
  return {
    ...DEFAULTS,
    ...more,
    tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
    invoke: (request, machine) => refusing(promptToolsRequest(request, machine.ids.nonce), machine),
    converse: (request, machine) =>
      request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request),
  };
}
