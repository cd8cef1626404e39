/** `--tools-file` and `--tool-names`: the tools a caller declares. */

import { UsageError } from '../contract/error.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import type { ToolDefinition } from '../runner/request.js';
import { isObject } from '../text/json.js';

const NAME_LENGTH = 128;

/** What a tool without a schema takes: any arguments. */
const anyArguments = (): JsonObject => ({ type: 'object' });

function checkName(where: string, name: string, seen: Map<string, string>): void {
  if (name === '' || name.length > NAME_LENGTH) {
    throw new UsageError(`${where}: a name has 1 to ${NAME_LENGTH} characters, this one has ${name.length}`);
  }
  const before = seen.get(name);
  if (before !== undefined) throw new UsageError(`${where}: ${JSON.stringify(name)} is already the name of ${before}`);
}

function readTool(tool: Json, index: number, seen: Map<string, string>): ToolDefinition {
  const at = `--tools-file: tools[${index}]`;
  if (!isObject(tool)) throw new UsageError(`${at}: expected an object with name and description`);
  const { name, description, schema } = tool;
  if (typeof name !== 'string') throw new UsageError(`${at}.name: expected a string`);
  checkName(`${at}.name`, name, seen);
  if (typeof description !== 'string') throw new UsageError(`${at}.description: expected a string`);
  if (schema !== undefined && !isObject(schema)) throw new UsageError(`${at}.schema: expected a JSON Schema object`);
  if (schema !== undefined && typeof schema['type'] === 'string' && schema['type'] !== 'object') {
    throw new UsageError(`${at}.schema.type: arguments are an object, so the type is "object"`);
  }
  seen.set(name, `tools[${index}]`);
  return { name, description, schema: schema ?? anyArguments() };
}

/** @throws UsageError that names the index and path of the first fault */
export function toolsFromJson(value: Json): ToolDefinition[] {
  if (!Array.isArray(value)) throw new UsageError('--tools-file: expected a JSON array of tools');
  const seen = new Map<string, string>();
  return value.map((tool, index) => readTool(tool, index, seen));
}

/** @param names already split at commas */
export function toolsFromNames(names: readonly string[]): ToolDefinition[] {
  const seen = new Map<string, string>();
  return names.map((name, index) => {
    const where = `--tool-names: entry ${index + 1}`;
    checkName(where, name, seen);
    seen.set(name, `entry ${index + 1}`);
    return { name, description: '', schema: anyArguments() };
  });
}
