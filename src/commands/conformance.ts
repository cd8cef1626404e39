import * as Flags from '@oclif/core/flags';
import { SCENARIOS } from '../conformance/scenarios.js';
import { type Finding, runSuite } from '../conformance/suite.js';
import { UsageError } from '../contract/error.js';
import { textTable } from '../output/text-table.js';
import { TurnoutCommand } from './base.js';

/** Words as they stand between spaces; quotes hold words together. */
export function wordsOf(text: string): string[] {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)];
  return words.map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

export default class Conformance extends TurnoutCommand {
  static override summary = 'Put any program that speaks the agent exec protocol through its rules, with a fake model.';
  static override description =
    'Runs the program with a home folder of its own. Its runtime is pointed at a model on loopback that follows a script (ANTHROPIC_BASE_URL), ' +
    'so nothing is paid; --runtime demo needs no model. Exit codes: 0 all rules hold, 1 some do not, 2 wrong call.';
  static override examples = [
    '<%= config.bin %> conformance --command turnout --runtime demo',
    '<%= config.bin %> conformance --command monomind --only cancel,timeout',
  ];
  static override flags = {
    command: Flags.string({ summary: 'the program, with arguments before ours', helpValue: 'WORDS', required: true }),
    runtime: Flags.string({ summary: 'the runtime that it is asked for', helpValue: 'ID', default: 'claude' }),
    only: Flags.string({ summary: 'some rules, by id', helpValue: 'ID,ID' }),
    json: Flags.boolean({ summary: 'JSON instead of a table' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Conformance);
    const command = wordsOf(flags.command);
    if (command.length === 0) throw new UsageError('--command: expected a program');
    const only = flags.only?.split(',');
    const unknown = only?.find((id) => !SCENARIOS.some((one) => one.id === id));
    if (unknown !== undefined)
      throw new UsageError(`--only: unknown rule ${unknown}; there are ${SCENARIOS.map(({ id }) => id).join(', ')}`);
    const heard = (one: Finding) => {
      if (process.stderr.isTTY) process.stderr.write(`${one.passed ? 'ok  ' : 'FAIL'} ${one.id}\n`);
    };
    const { runtime } = flags;
    const findings = await runSuite({
      ...{ command, runtime, heard, env: process.env },
      ...(only === undefined ? {} : { only }),
    }).catch((error: unknown) => {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new UsageError(`--command: ${command[0]} could not be started (${why})`, { cause: error });
    });
    const failed = findings.filter(({ passed }) => !passed).length;
    if (failed > 0) process.exitCode = 1;
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, command, runtime, failed, findings })}\n`);
    const rows = findings.map(({ id, rule, fault }) => [fault === null ? 'ok' : 'FAIL', id, fault ?? rule]);
    await this.print(`${textTable(rows)}${findings.length - failed} of ${findings.length} rules hold\n`);
  }
}
