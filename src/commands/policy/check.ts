import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { TOOL_KINDS } from '../../contract/vocabulary.js';
import { jsonFile } from '../../request/in-file.js';
import { dotted, place } from '../../request/place.js';
import { policy } from '../../request/policy.js';
import { asFlags } from '../../request/spelling.js';
import { isObject, parseJson } from '../../text/json.js';
import { realPath } from '../../turn/place.js';
import { decide } from '../../turn/policy/decide.js';
import { TurnoutCommand } from '../base.js';

/** The rule as one line, for people. */
const line = (rule: object): string => JSON.stringify(rule);

export default class PolicyCheck extends TurnoutCommand {
  static override summary = 'Say what a policy decides about a call, and by which rule.';
  static override description =
    'Nothing is run. Exit codes: 0 allowed, 1 denied, 3 a person is asked, 4 the policy leaves it to the access mode.';
  static override args = { file: Args.string({ description: 'the policy', required: true }) };
  static override flags = {
    kind: Flags.string({ summary: 'what the call does', helpValue: 'KIND', options: [...TOOL_KINDS], required: true }),
    input: Flags.string({
      summary: 'its canonical input as JSON, such as \'{"command":"npm test"}\'',
      helpValue: 'JSON',
      default: '{}',
    }),
    name: Flags.string({ summary: 'the native name of the tool', helpValue: 'NAME', default: '' }),
    runtime: Flags.string({ summary: 'the runtime that asks', helpValue: 'ID', default: '' }),
    cwd: Flags.string({ summary: 'where relative paths begin', helpValue: 'DIR', default: '.' }),
    json: Flags.boolean({ summary: 'print JSON' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyCheck);
    const input = parseJson(flags.input);
    if (!isObject(input)) throw new UsageError('--input: expected a JSON object');
    const kind = TOOL_KINDS.find((one) => one === flags.kind);
    if (kind === undefined) throw new UsageError(`--kind: expected one of ${TOOL_KINDS.join(', ')}`);
    let text: string;
    try {
      text = readFileSync(args.file, 'utf8');
    } catch (cause) {
      throw new UsageError(`${args.file} can't be read`, { cause });
    }
    const rules = jsonFile(policy).read(
      text,
      place({ ...asFlags, path: (path) => `${args.file}: ${dotted(path.slice(1))}` }, ['policy']),
    );
    const cwd = resolve(flags.cwd);
    const { runtime, name } = flags;
    const { decision, rule, part } = decide(
      rules,
      { runtime, name, kind, input },
      { cwd, real: (path) => realPath(path, cwd) },
    );
    const found = rule === null ? null : (rules.rules[rule] ?? null);
    if (flags.json) {
      const answer = { v: 1, decision, rule: rule === null ? null : rule + 1, part: part ?? null };
      await this.print(`${JSON.stringify(answer)}\n`);
    } else {
      const by =
        found !== null
          ? `rule ${(rule ?? 0) + 1}: ${line(found)}`
          : decision === null
            ? 'no rule fits: the access mode decides'
            : 'the default';
      await this.print(`${decision ?? 'mode'}: ${by}${part === undefined ? '' : `\nIts part \`${part}\` decided.`}\n`);
    }
    process.exitCode = decision === 'allow' ? 0 : decision === 'deny' ? 1 : decision === 'ask' ? 3 : 4;
  }
}
