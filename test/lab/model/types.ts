/** The neutral form of a model request and of a model's answer, so that a scenario is written once for all dialects. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type Dialect = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini' | 'augment';

/** One message of the conversation as the program sent it. `failed` is set on a tool result that is an error. */
export interface Said {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  failed?: boolean;
}

export interface OfferedTool {
  name: string;
  schema: JsonObject | undefined;
  /** OpenAI Responses groups the tools of one server in a namespace that a call must repeat. */
  namespace?: string;
  /** OpenAI Responses has tools whose input is plain text. */
  freeform?: true;
  /** Set when the tool is a function inside this one, which runs scripts. */
  inside?: OfferedTool;
  /** Not declared: to be looked for by name when it is called. */
  hidden?: true;
  /** Set when the tool stands in the prompt: the word that its blocks carry. */
  fence?: string;
}

export interface Asked {
  dialect: Dialect;
  model: string;
  stream: boolean;
  system: string;
  said: Said[];
  tools: OfferedTool[];
  effort: string | null;
  /** The request asks for an answer in JSON (a schema or a JSON mode). */
  wantsJson: boolean;
}

export interface Call {
  tool: OfferedTool;
  args: JsonObject;
}

/** `drop` closes the socket in the middle, `cut` ends the answer in order but for its end mark, `hang` falls silent. */
export type Ending = 'stop' | 'max_tokens' | 'refusal' | 'hang' | 'drop' | 'cut';

export type FailureName =
  | 'unauthorized'
  | 'bad-key'
  | 'forbidden'
  | 'no-model'
  | 'rate-limit'
  | 'quota'
  | 'server-error'
  | 'overloaded';

export type Reply =
  | { kind: 'answer'; thinking: string[]; text: string[]; calls: Call[]; pause: number; ending: Ending }
  | { kind: 'failure'; failure: FailureName };

export type Answer = Extract<Reply, { kind: 'answer' }>;

/** What every answer costs. Fixed figures, so that a check can compare the sum with the number of requests. */
export const COST = { input: 1200, cached: 200, output: 34, reasoning: 10 } as const;

/** Turns one dialect's request into the neutral form and an answer into that dialect's bytes. */
export interface DialectPort {
  read(body: JsonObject, path: string): Asked;
  /** The pieces of a streamed answer, in order. */
  voice(asked: Asked, id: number): Voice;
  whole(asked: Asked, answer: Answer, id: number): JsonObject;
  failure(name: FailureName, asked: Asked): { status: number; headers: Record<string, string>; body: JsonObject };
}

export interface Voice {
  begin(): string;
  thinking(delta: string): string;
  text(delta: string): string;
  call(call: Call, id: string): string;
  end(ending: 'stop' | 'max_tokens' | 'refusal', calls: number): string;
}
