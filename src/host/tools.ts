/** The host's tools: declared once, run when the agent asks, answered by frames. */

import type { Event } from '../contract/event.js';
import type { ToolResultFrame } from '../contract/frame.js';
import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { place } from '../request/place.js';
import { type Parsed, parse } from '../request/schema.js';
import { asOptions } from '../request/spelling.js';
import { hostTools } from '../request/tools.js';

/** What a running tool may know of its call. */
export interface ToolContext {
  /** `tc_1`, `tc_2`, … as in the events. */
  id: string;
  /** Aborts when nobody waits for the answer any more: time limit, cancel, the agent changed its mind. */
  signal: AbortSignal;
}

/** A tool of the host: what the model reads about it, what it takes and what it does. */
export interface Tool<Schema = unknown> {
  /** What the agent reads to know when to use it. */
  description: string;
  /** JSON Schema of the arguments (an object), or a Standard Schema such as Zod's. Any arguments when absent. */
  schema?: Schema;
  /** The answer: a string as it is, anything else as JSON. What it throws is told to the agent as a failure. */
  run(args: Parsed<Schema>, context: ToolContext): unknown;
}

/** Gives a tool that stands by itself its types: `tool({ schema, run: (args) => … })`. */
export function tool<Schema>(definition: Tool<Schema>): Tool<Schema> {
  return definition;
}

/** A set of tools, each with its own schema. */
export type Tools<Schemas> = { [Name in keyof Schemas]: Tool<Schemas[Name]> };

export interface ToolHost {
  definitions: readonly ToolDefinition[];
  /** Runs what a `tool_call` asks for; aborts what a `tool_result` says nobody waits for. */
  hear(event: Event): void;
  /** The turn is over. */
  close(): void;
}

/** @throws {UsageError} naming the tool */
export const toolDefinitions = (tools: Readonly<Record<string, Tool>>): ToolDefinition[] =>
  hostTools(tools, place(asOptions, ['tools']));

/** A string as it is, `{text}` as its text, nothing as nothing, anything else as JSON. */
export function answerText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string') {
    if (Object.keys(value).length === 1) return value.text;
  }
  return JSON.stringify(value) ?? String(value);
}

/** @throws {UsageError} naming the tool */
export function toolHost(tools: Readonly<Record<string, Tool>>, send: (frame: ToolResultFrame) => void): ToolHost {
  const definitions = toolDefinitions(tools);
  const running = new Map<string, AbortController>();

  const answer = (id: string, ok: boolean, text: string) => {
    // Whoever no longer waits needs no answer.
    if (running.delete(id)) send({ v: 1, type: 'tool_result', id, ok, result: { text } });
  };
  const run = async (id: string, name: string, args: JsonObject) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const one = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (!one) return answer(id, false, `there is no handler for ${name}`);
      const parsed = await parse(one.schema, args);
      if ('fault' in parsed) return answer(id, false, `invalid arguments for ${name}: ${parsed.fault}`);
      // The schema has just said what this is.
      const value = parsed.value as Parsed<unknown>;
      answer(id, true, answerText(await one.run(value, { id, signal: controller.signal })));
    } catch (error) {
      answer(id, false, error instanceof Error ? error.message : String(error));
    }
  };

  return {
    definitions,
    hear(event) {
      if (event.type === 'tool_call') void run(event.id, event.name, event.args);
      if (event.type !== 'tool_result') return;
      const controller = running.get(event.id);
      running.delete(event.id);
      controller?.abort(new Error(event.result.text));
    },
    close() {
      for (const controller of running.values()) controller.abort(new Error('the turn is over'));
      running.clear();
    },
  };
}
