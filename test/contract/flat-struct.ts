/** The one flat record into which the best-known host reads every event. A field of another type loses the whole line. */

import { at, parseJson } from '../../src/text/json.js';
import { type Raw, readRaw } from './go-json.js';

type Type = 'int' | 'float' | 'string' | 'bool' | 'any' | Type[] | { [field: string]: Type };

/** Fields that a host of revision 30 declares. */
const FIELDS: Readonly<Record<string, Type>> = {
  v: 'int',
  type: 'string',
  runtime: 'string',
  model: 'string',
  cwd: 'string',
  resume: 'string',
  pid: 'int',
  child_pid: 'int',
  access: 'string',
  native_sandbox: 'string',
  approvals: 'string',
  sandbox_requested: 'string',
  sandbox_applied: 'string',
  streams_incrementally: 'bool',
  phase: 'string',
  message: 'string',
  mcp_servers: [{ name: 'string', status: 'string' }],
  session_id: 'string',
  text: 'string',
  parent_tool_use_id: 'string',
  id: 'string',
  name: 'string',
  args: 'any',
  ok: 'bool',
  result: { text: 'string' },
  kind: 'string',
  input: 'any',
  output: 'string',
  output_truncated: 'bool',
  duration_ms: 'int',
  denied: 'bool',
  cancelled: 'bool',
  exit_code: 'int',
  tool_use_id: 'string',
  subagent_type: 'string',
  description: 'string',
  prompt: 'string',
  summary: 'string',
  usage: { total_tokens: 'int', tool_uses: 'int', duration_ms: 'int' },
  last_tool: 'string',
  status: 'string',
  input_tokens: 'int',
  output_tokens: 'int',
  cost_usd: 'float',
  subtype: 'string',
  is_error: 'bool',
  stop_reason: 'string',
  effort: 'string',
  peak_context_tokens: 'int',
  unexpected_models: ['string'],
  code: 'string',
  fatal: 'bool',
  background_pids: ['int'],
};

export interface FlatEvent {
  type: string;
  text(field: string): string;
  number(field: string): number | null;
  flag(field: string): boolean;
  value(field: string): Raw | undefined;
  /** JSON text of a field that is passed on as it is. */
  json(field: string): string;
}

function fits(raw: Raw, type: Type): boolean {
  if (raw.is === 'null' || type === 'any') return true;
  if (Array.isArray(type)) return raw.is === 'array' && raw.items.every((item) => fits(item, type[0] ?? 'any'));
  if (typeof type === 'object') {
    return raw.is === 'object' && [...raw.fields].every(([name, value]) => fits(value, type[name] ?? 'any'));
  }
  switch (type) {
    case 'int':
      return raw.is === 'number' && /^-?\d+$/.test(raw.text);
    case 'float':
      return raw.is === 'number';
    case 'string':
      return raw.is === 'string';
    case 'bool':
      return raw.is === 'bool';
    default: {
      const never: never = type;
      return never;
    }
  }
}

/** @returns null when the host would skip the line without a word */
export function readFlat(line: string): FlatEvent | null {
  if (!line.startsWith('{')) return null;
  const raw = readRaw(line);
  if (raw?.is !== 'object') return null;
  for (const [name, value] of raw.fields) if (!fits(value, FIELDS[name] ?? 'any')) return null;
  const field = (name: string) => raw.fields.get(name);
  const text = (name: string) => {
    const value = field(name);
    return value?.is === 'string' ? value.value : '';
  };
  return {
    type: text('type'),
    text,
    number(name) {
      const value = field(name);
      return value?.is === 'number' ? Number(value.text) : null;
    },
    flag(name) {
      const value = field(name);
      return value?.is === 'bool' && value.value;
    },
    value: field,
    json: (name) => JSON.stringify(at(parseJson(line), name) ?? null),
  };
}
