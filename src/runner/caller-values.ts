/**
 * The boundary between what a caller says and what a program is started with: each value has a kind, each kind a pattern,
 * and a runtime may have a tighter one. Nothing that begins like an option, or is a path where a name is meant, passes.
 */

import type { TurnRequest } from './request.js';
import type { Runner } from './runner.js';

/** Values of a caller that can reach argv, an environment or a path of a program. */
export type ValueKind = 'model' | 'session' | 'server';

/** Up to 256 printable characters. Names of models hold `/`, `:`, `[1m]` and blanks, but begin with none of these. */
const MODEL = /^[A-Za-z0-9@_~](?!.*(?:^|[\\/])\.\.(?:[\\/]|$))[\x20-\x7e]{0,255}$/;
/** Ids as programs make them: UUIDs, `ses_1a2b`, `T-…`, names of conversations. No path, no file. */
const SESSION = /^[A-Za-z0-9][A-Za-z0-9_:-]{0,127}$/;
/** An ACP agent of the user's own may call its sessions anything; it gets them in JSON. */
const ANY_SESSION = /^(?![-.~])[^\s\p{Cc}\\/][^\p{Cc}\\/]{0,511}$/u;
/** Names of servers become parts of rules and names of tools. */
const SERVER = /^[A-Za-z0-9_](?:[A-Za-z0-9_. -]{0,62}[A-Za-z0-9_.-])?$/;

const GENERAL: Readonly<Record<ValueKind, RegExp>> = { model: MODEL, session: ANY_SESSION, server: SERVER };

const MEANING: Readonly<Record<ValueKind, string>> = {
  model: 'the name of a model begins with a letter or digit, is printable ASCII, and is no path upwards',
  session: 'the id of a session is no option and no path: it does not begin with `-`, `.` or `~`, and holds no slash',
  server: 'the name of an MCP server is made of letters, digits, `_`, `-`, `.` and single blanks inside',
};

/** Why no runtime is given this value, in words; null when it is fine. */
export function valueFault(kind: ValueKind, value: string): string | null {
  return GENERAL[kind].test(value) ? null : MEANING[kind];
}

/** The same for a whole request, whoever made it. */
function requestFault({ model, resume, mcpServers }: TurnRequest): string | null {
  const values: readonly (readonly [ValueKind, string | null])[] = [
    ['model', model],
    ['session', resume],
    ...mcpServers.map(({ name }) => ['server', name] as const),
  ];
  for (const [kind, value] of values) {
    const fault = value === null ? null : valueFault(kind, value);
    if (fault !== null) return `${JSON.stringify(value?.slice(0, 80))} is refused: ${fault}`;
  }
  return null;
}

/** What this runtime is not given: by the general patterns, its own, and those of ids of sessions, which only some take as they come. */
export function runtimeValueFault(runner: Pick<Runner, 'id' | 'values'>, request: TurnRequest): string | null {
  const { model, resume, mcpServers } = request;
  const general = requestFault(request);
  if (general !== null) return general;
  const session = runner.values?.session ?? SESSION;
  if (resume !== null && !session.test(resume)) {
    return `${runner.id} has no session ${JSON.stringify(resume.slice(0, 80))}: its ids are made of letters, digits, \`_\`, \`-\` and \`:\``;
  }
  const own = runner.values?.model;
  if (model !== null && own !== undefined && !own.test(model)) {
    return `${runner.id} takes no model called ${JSON.stringify(model.slice(0, 80))}`;
  }
  const reserved = mcpServers.find(({ name }) => runner.values?.reservedServers?.includes(name.toLowerCase()));
  if (reserved) return `${runner.id} would take the MCP server name ${reserved.name} for something else: rename it`;
  return null;
}

/** For programs whose sessions may be called anything, and that get them in JSON. */
export const anySession = ANY_SESSION;
