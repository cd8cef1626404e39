import { NO_TOOL } from './texts.js';
import type { Call, JsonObject, OfferedTool, Reply } from './types.js';
import { string } from './values.js';

/**
 * A program may offer newer models one tool only, which runs JavaScript; all others are functions inside, declared in
 * its description. The scripted model writes such scripts, so that every scenario holds for this way too.
 */
const section = /^### `(\w+)`\n([\s\S]*?)(?=^### `|$(?![\s\S]))/gm;

function schemaOf(type: string): JsonObject {
  if (type.startsWith('Array<{')) {
    const inner = [...type.matchAll(/^\s+(\w+)\??: ([^;]+);/gm)].map((match) => [
      match[1] ?? '',
      schemaOf(match[2] ?? ''),
    ]);
    return { type: 'array', items: { type: 'object', properties: Object.fromEntries(inner) } };
  }
  if (type.startsWith('Array<')) return { type: 'array', items: {} };
  const options = [...type.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '');
  if (options.length > 0) return { type: 'string', enum: options };
  return /^(string|number|boolean)$/.test(type) ? { type } : {};
}

/** The arguments of a declared function, as far as a call needs to know them. Short ones stand on one line. */
function argumentsOf(declaration: string): JsonObject {
  const body = /\(args: \{([\s\S]*?)\}\): Promise/.exec(declaration)?.[1] ?? '';
  const properties: JsonObject = {};
  const required: string[] = [];
  const each = body.startsWith('\n')
    ? /^ {2}(\w+)(\?)?: ((?:[^;{]|\{[\s\S]*?\n(?: {2})?\})+);/gm
    : / (\w+)(\?)?: ((?:[^;{]|\{[^}]*\})+);/g;
  for (const [, name = '', optional, type = ''] of body.matchAll(each)) {
    properties[name] = schemaOf(type);
    if (optional === undefined) required.push(name);
  }
  return { type: 'object', properties, required };
}

/** The functions inside, or none when the tool is another one. */
export function toolsInside(tool: JsonObject, namespace?: string): OfferedTool[] {
  const description = string(tool.description);
  if (tool.name !== 'exec' || !description.includes('declare const tools')) return [];
  const runner: OfferedTool = { name: 'exec', schema: undefined, freeform: true, ...(namespace ? { namespace } : {}) };
  return [...description.matchAll(section)].map((match) => ({
    name: match[1] ?? '',
    schema: argumentsOf(match[2] ?? ''),
    inside: runner,
  }));
}

/** A function that the description leaves out can still be found by a part of its name. */
export function toolSomewhereInside(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  const runner = tools.find((tool) => tool.inside !== undefined)?.inside;
  return runner && { name, schema: undefined, inside: runner, hidden: true };
}

function callee(tool: OfferedTool): string {
  const name = JSON.stringify(tool.name);
  return tool.hidden
    ? `(tools[ALL_TOOLS.find((tool) => tool.name.includes(${name}))?.name] ?? none)`
    : `tools[${name}]`;
}

function script(calls: readonly Call[]): string {
  const started = calls.map((call) => `  ${callee(call.tool)}(${JSON.stringify(call.args)}),`);
  return [
    `const none = async () => ${JSON.stringify(NO_TOOL)};`,
    'const results = await Promise.allSettled([',
    ...started,
    ']);',
    'for (const { value, reason } of results) {',
    "  if (reason !== undefined) text('Error: ' + String(reason.message ?? reason));",
    "  else text(typeof value === 'string' ? value : JSON.stringify(value));",
    '}',
  ].join('\n');
}

/** Calls of functions inside become one script. */
export function scriptedReply(reply: Reply): Reply {
  if (reply.kind === 'failure') return reply;
  const inside = reply.calls.filter((call) => call.tool.inside !== undefined);
  const runner = inside[0]?.tool.inside;
  if (runner === undefined) return reply;
  const others = reply.calls.filter((call) => call.tool.inside === undefined);
  return { ...reply, calls: [...others, { tool: runner, args: { input: script(inside) } }] };
}
