/** Whether a value is a runner: what one written in JavaScript gets wrong is found here, not in the middle of a turn. */

import { ACCESS_MODES, SANDBOX_MODES } from '../../contract/vocabulary.js';
import type { Runner } from '../../runner/runner.js';
import { byName, type Check, call, flag, list, optional, pattern, record, shape, text, texts, word } from './checks.js';

/** Names that mean something else where an id is expected. */
const RESERVED: readonly string[] = ['auto', 'acp', 'replay', 'turnout', 'demo'];

const id: Check = (value) => typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value) && !RESERVED.includes(value);
const report = {
  native_sandbox: word('read-only', 'restricted', 'workspace-write', 'full', 'none', 'turnout'),
  approvals: word('on', 'off', 'n/a'),
};
const npm = shape({ kind: word('npm'), packages: (value) => Array.isArray(value) && value.length > 0 && texts(value) });
const script = shape({ kind: word('script'), url: text, shell: word('bash', 'sh') });
const manual = shape({ kind: word('manual') });

const query = shape({ args: texts, env: optional(record), say: optional(texts), read: call });
const kind = word('api_key', 'login', 'cloud');
const variable = shape({ kind, variable: text });
const file = shape({ kind, file: text, unless: optional(text), tells: optional(call) });
const credential: Check = (value) => variable(value) || file(value);

const stateFolder = shape({
  at: text,
  variable: optional(text),
  below: optional(text),
  kept: optional((value) => value === true),
  sessions: optional(texts),
  config: optional(texts),
  copies: optional(texts),
  logins: optional(texts),
});
const confine = shape({
  state: list(stateFolder),
  nests: optional((value) => value === true),
  keyring: optional(texts),
  writesTurnFolder: optional((value) => value === true),
});

const FIELDS: Readonly<Record<keyof Runner, Check>> = {
  id,
  aliases: optional(list(id)),
  title: text,
  // Only ours are part of the program itself.
  builtin: (value) => value === undefined,
  bins: (value) => Array.isArray(value) && value.length > 0 && value.every(text),
  binVariables: optional(texts),
  packages: texts,
  places: optional(texts),
  install: (value) => npm(value) || script(value) || manual(value),
  installHint: (value) => typeof value === 'string',
  loginHint: (value) => value === null || text(value),
  loginTraces: optional(texts),
  configFiles: optional(texts),
  credentials: optional(list(credential)),
  testedVersions: texts,
  transport: text,
  streamsIncrementally: flag,
  toolActivity: word('full', 'start-only', 'none'),
  tellsSubagents: optional(flag),
  access: byName(
    ACCESS_MODES,
    shape({
      ...report,
      asks: optional((value) => value === true),
      gaps: list(word('read_outside', 'write', 'shell', 'network')),
    }),
  ),
  sandbox: byName(SANDBOX_MODES, shape(report)),
  confine: optional(confine),
  brokered: optional(shape({ key: text, address: text, vendor: (value) => value === null || text(value) })),
  toolTransport: word('native', 'mcp', 'prompt', 'none'),
  anyToolName: optional(flag),
  parallelCalls: flag,
  toolResultLimit: optional((value) => Number.isInteger(value) && Number(value) > 0),
  resume: flag,
  effort: flag,
  maxTurns: flag,
  reportsCost: flag,
  startupMs: optional((value) => typeof value === 'number' && value > 0),
  silentRetries: flag,
  untoldEnds: optional(list(word('max_tokens', 'refusal'))),
  promptInArgv: flag,
  decidesPerCommand: flag,
  steer: flag,
  settingsLoaded: texts,
  nesting: texts,
  chatter: optional(pattern),
  keys: (value) => value === 'all' || texts(value),
  unsupported: optional(text),
  values: optional(shape({ model: optional(pattern), session: optional(pattern), reservedServers: optional(texts) })),
  version: optional(shape({ args: texts, pattern, env: optional(record) })),
  asksForSchema: optional((value) => value === true),
  asksQuestions: optional((value) => value === true),
  images: optional((value) => value === true),
  commands: optional(list(shape({ name: text, description: text, hint: optional(text) }))),
  warm: optional(shape({ live: texts, unfit: optional(call) })),
  models: optional(query),
  quota: optional(query),
  tellsServers: optional((value) => value === true),
  sessions: optional(call),
  tools: call,
  invoke: call,
  converse: call,
};

/** @returns the fields that are missing or wrong; none when it is a runner */
export function badFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return ['the default export'];
  return Object.entries(FIELDS).flatMap(([name, fits]) => {
    try {
      return fits(Reflect.get(value, name)) ? [] : [name];
    } catch {
      // A getter may throw.
      return [name];
    }
  });
}

export function isRunner(value: unknown): value is Runner {
  return badFields(value).length === 0;
}
