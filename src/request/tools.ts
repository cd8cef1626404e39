/** The tools a caller declares, in whatever form: one rule for names, descriptions and schemas. */

import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';
import { csv, type Kind } from './kinds.js';
import type { Place } from './place.js';
import { isSchema, toJsonSchema } from './schema.js';

const NAME_LENGTH = 128;

/** What a tool without a schema takes: any arguments. */
const anyArguments = (): JsonObject => ({ type: 'object' });

/** A tool before it is checked. */
interface Declared {
  name: unknown;
  description: unknown;
  schema: unknown;
  /** The name stands alone. */
  bare?: true;
}

/** Checks one tool after the other; a name may stand once. */
function declarations(): (tool: Declared, at: Place) => ToolDefinition {
  const seen = new Set<string>();
  return ({ name, description, schema, bare }, at) => {
    // A bare name has no place of its own inside.
    const named = bare ? at : at.in('name');
    if (typeof name !== 'string') throw named.fault('type', 'expected a string');
    if (name === '' || name.length > NAME_LENGTH) {
      throw named.fault('size', `expected 1 to ${NAME_LENGTH} characters, not ${name.length}`);
    }
    if (seen.has(name)) throw named.fault('twice', `${JSON.stringify(name)} is the name of another tool already`);
    seen.add(name);
    if (typeof description !== 'string') throw at.in('description').fault('type', 'expected a string');
    return { name, description, schema: argumentsSchema(schema, at.in('schema')) };
  };
}

function argumentsSchema(given: unknown, at: Place): JsonObject {
  if (given === undefined) return anyArguments();
  if (!isSchema(given)) throw at.fault('schema', 'expected a JSON Schema object');
  const schema = toJsonSchema(given, at);
  const { type } = schema;
  if (typeof type === 'string' && type !== 'object') {
    throw at.in('type').fault('schema', 'arguments are an object, so the type is "object"');
  }
  return schema;
}

/** `[{"name","description","schema"}]`; an entry may be a name alone. */
export const toolList: Kind<readonly ToolDefinition[]> = {
  text: (_, at) => {
    throw at.fault('form', 'expected a list of tools');
  },
  value(given, at) {
    if (!Array.isArray(given)) throw at.fault('type', 'expected a JSON array of tools');
    const declare = declarations();
    return given.map((tool: unknown, index) => {
      const here = at.in(index);
      if (typeof tool === 'string')
        return declare({ name: tool, description: '', schema: undefined, bare: true }, here);
      if (!isObject(tool)) throw here.fault('type', 'expected an object with name and description, or a name');
      return declare({ name: tool['name'], description: tool['description'], schema: tool['schema'] }, here);
    });
  },
  print: () => null,
  schema: { type: 'array' },
};

/** Names between commas. */
export const toolNames: Kind<readonly ToolDefinition[]> = {
  ...toolList,
  text(text, at) {
    const declare = declarations();
    return csv.text(text, at).map((name, index) => {
      return declare({ name, description: '', schema: undefined, bare: true }, at.in(index));
    });
  },
};

/** Tools of a host, by name. @throws UsageError naming the tool */
export function hostTools(
  tools: Readonly<Record<string, { description?: unknown; schema?: unknown; run?: unknown }>>,
  at: Place,
): ToolDefinition[] {
  const declare = declarations();
  return Object.entries(tools).map(([name, tool]) => {
    const here = at.in(name);
    if (typeof tool !== 'object' || tool === null)
      throw here.fault('type', 'expected an object with description and run');
    const { description, schema, run } = tool;
    const declared = declare({ name, description, schema }, here);
    if (typeof run !== 'function') throw here.in('run').fault('type', 'expected a function');
    return declared;
  });
}
