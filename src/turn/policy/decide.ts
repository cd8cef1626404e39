/** Decides a call by a policy. Pure but for `real`, which follows links. */

import type { Policy, PolicyDecision, PolicyRule } from '../../contract/policy.js';
import type { JsonObject, ToolKind } from '../../contract/vocabulary.js';
import { str } from '../../text/json.js';
import { writtenPaths } from '../judge.js';
import { type Shell, wordsFor } from '../shell-words.js';
import { baseName, carries, commandParts, type Part } from './command-parts.js';
import { pathGlob, written } from './glob.js';

export interface Call {
  runtime: string;
  name: string;
  kind: ToolKind;
  /** Canonical. */
  input: JsonObject | null;
}

export interface Around {
  /** Absolute. */
  cwd: string;
  shell?: Shell;
  /** A path with links followed; null where it can't be said. */
  real?(path: string): string | null;
}

export interface Ruling {
  /** Null: the policy says nothing, so the access mode decides. */
  decision: PolicyDecision | null;
  /** From 0; null where `default` or nothing decides. */
  rule: number | null;
  /** The part of a shell command that decided, where it is not the whole. */
  part?: string;
}

/** Whether a rule fits: surely, surely not, or as far as can be said. */
type Fit = 'yes' | 'no' | 'maybe';

const STRICTNESS: Readonly<Record<PolicyDecision, number>> = { allow: 0, ask: 1, deny: 2 };
/** No word of the policy leaves it to the mode, which is neither a leave nor a refusal: between the two. */
const strictness = (decision: PolicyDecision | null): number => (decision === null ? 0.5 : STRICTNESS[decision]);

const list = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] | null =>
  value === undefined ? null : Array.isArray(value) ? (value as readonly Value[]) : [value as Value];

const and = (fits: readonly Fit[]): Fit => (fits.includes('no') ? 'no' : fits.includes('maybe') ? 'maybe' : 'yes');

function hostFits(host: string, pattern: string): boolean {
  const [here, wanted] = [host.toLowerCase().replace(/\.$/, ''), pattern.toLowerCase()];
  if (wanted === '*') return true;
  if (!wanted.startsWith('*.')) return here === wanted;
  return here === wanted.slice(2) || here.endsWith(wanted.slice(1));
}

function hostOf(url: string | undefined): string | null {
  try {
    return url === undefined ? null : new URL(url).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}

/** Every path a call names; null where it names none that is known. */
function pathsOf({ kind, input }: Call): readonly string[] | null {
  if (kind === 'edit' || kind === 'write' || kind === 'patch') return writtenPaths(kind, input);
  const path = input === null ? undefined : (str(input, 'file_path') ?? str(input, 'path'));
  if (path !== undefined) return [path];
  // A search without a path looks through the working folder.
  return kind === 'search' ? ['.'] : null;
}

const PATHLESS: ReadonlySet<ToolKind> = new Set(['web', 'todo', 'mcp']);

function pathFits(rule: PolicyRule, globs: readonly string[], call: Call, part: Part | null, around: Around): Fit {
  const loosens = rule.decision === 'allow';
  if (call.kind === 'shell') {
    // What a command reads and writes is not in its words alone: no leave by a path, and a refusal for every doubt.
    if (loosens) return 'no';
    if (part?.words == null || carries(part.words)) return 'maybe';
  }
  const paths = call.kind === 'shell' ? (part?.words ?? []).slice(1) : pathsOf(call);
  // What these do with files can't be seen in a path.
  if (paths === null && PATHLESS.has(call.kind)) return 'no';
  if (paths === null) return loosens ? 'no' : 'maybe';
  const forms = globs.map((glob) => pathGlob(glob, around.cwd));
  const fits = (path: string): boolean => {
    const plain = written(path.startsWith('-') ? path.slice(path.indexOf('=') + 1) : path, around.cwd);
    const both = [plain, around.real?.(plain) ?? plain];
    const one = (form: string) => forms.some((glob) => glob.test(form));
    return loosens ? both.every(one) : both.some(one);
  };
  return (loosens ? paths.every(fits) : paths.some(fits)) ? 'yes' : 'no';
}

function hostRuleFits(rule: PolicyRule, hosts: readonly string[], call: Call, part: Part | null): Fit {
  const loosens = rule.decision === 'allow';
  if (call.kind === 'web') {
    const host = hostOf(call.input === null ? undefined : str(call.input, 'url'));
    // A search has a query and no host of its own.
    if (host === null) return loosens ? 'no' : 'maybe';
    return hosts.some((one) => hostFits(host, one)) ? 'yes' : 'no';
  }
  if (call.kind !== 'shell' || loosens) return 'no';
  if (part?.words == null || carries(part.words)) return 'maybe';
  const text = part.text.toLowerCase();
  return hosts.some((one) => text.includes(one.replace(/^\*\./, '').toLowerCase())) ? 'yes' : 'no';
}

function commandFits(rule: PolicyRule, part: Part | null, shell: Shell): Fit {
  const loosens = rule.decision === 'allow';
  const [starts, whole] = [list(rule.command), list(rule.command_exactly)];
  if (starts === null && whole === null) return 'yes';
  if (part === null) return 'no';
  const { words } = part;
  if (words === null) return 'maybe';
  const same = (wanted: string, all: boolean): boolean => {
    const parts = wordsFor(wanted, shell);
    if (parts === null || (all && parts.length !== words.length)) return false;
    return parts.every((word, index) => {
      const is = words[index] ?? '';
      return is === word || (!loosens && index === 0 && baseName(is) === baseName(word));
    });
  };
  const fits = [...(starts ?? []).map((one) => same(one, false)), ...(whole ?? []).map((one) => same(one, true))];
  if (fits.includes(true)) return 'yes';
  // `env rm x` and `sh -c 'rm x'` may be what the rule means.
  return carries(words) && !loosens ? 'maybe' : 'no';
}

function ruleFits(rule: PolicyRule, call: Call, part: Part | null, around: Around): Fit {
  const kinds = list(rule.kind);
  if (kinds !== null && !kinds.includes(call.kind)) return 'no';
  const runtimes = list(rule.runtime);
  if (runtimes !== null && !runtimes.includes(call.runtime)) return 'no';
  const input = call.input ?? {};
  const [servers, tools] = [list(rule.server), list(rule.tool)];
  if (servers !== null) {
    const server = str(input, 'server');
    const isOne = servers.some((one) => one === server || call.name.startsWith(`mcp__${one}__`));
    if (call.kind !== 'mcp' || !isOne) return 'no';
  }
  if (tools !== null) {
    const names = [call.name, str(input, 'tool'), call.kind === 'mcp' ? call.name.split('__').at(-1) : undefined];
    if (!tools.some((one) => names.includes(one))) return 'no';
  }
  const [paths, hosts] = [list(rule.path), list(rule.host)];
  return and([
    (rule.command ?? rule.command_exactly) !== undefined && call.kind !== 'shell'
      ? 'no'
      : commandFits(rule, part, around.shell ?? 'posix'),
    paths === null ? 'yes' : pathFits(rule, paths, call, part, around),
    hosts === null ? 'yes' : hostRuleFits(rule, hosts, call, part),
  ]);
}

/** The first rule that surely fits decides, but one before it that may fit is heard where it is stricter. */
function ruling(policy: Policy, call: Call, part: Part | null, around: Around): Ruling {
  let doubt: Ruling | null = null;
  const settle = (sure: Ruling): Ruling =>
    doubt !== null && strictness(doubt.decision) > strictness(sure.decision) ? doubt : sure;
  for (const [index, rule] of policy.rules.entries()) {
    const fits = ruleFits(rule, call, part, around);
    if (fits === 'yes') return settle({ decision: rule.decision, rule: index });
    if (fits === 'maybe' && (doubt === null || strictness(rule.decision) > strictness(doubt.decision))) {
      doubt = { decision: rule.decision, rule: index };
    }
  }
  return settle({ decision: policy.default ?? null, rule: null });
}

/** Of a shell command that is made of several, the strictest word on any of them counts for all. */
export function decide(policy: Policy, call: Call, around: Around): Ruling {
  if (call.kind !== 'shell') return ruling(policy, call, null, around);
  const command = str(call.input ?? {}, 'command') ?? '';
  const parts = commandParts(command, around.shell ?? 'posix');
  const rulings = parts.map((part) => ({ part, is: ruling(policy, call, part, around) }));
  const strictest = rulings.reduce((most, one) =>
    strictness(one.is.decision) > strictness(most.is.decision) ? one : most,
  );
  return parts.length > 1 ? { ...strictest.is, part: strictest.part.text } : strictest.is;
}
