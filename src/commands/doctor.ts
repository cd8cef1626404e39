import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { thisMachine } from '../discovery/places.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { doctor } from '../inspect/doctor/doctor.js';
import { doctorTable } from '../output/doctor-table.js';
import { byId, nearest } from '../registry/registry.js';
import { TurnoutCommand } from './base.js';
import { commandRunners } from './own-runners.js';
import { runnerFlag } from './runner-flag.js';

export default class DoctorCommand extends TurnoutCommand {
  static override summary = 'Look for what would keep a turn from working on this machine.';
  static override description =
    'Opens no connection, writes nothing and starts nothing. The exit code is 1 when a check failed.';
  static override flags = {
    json: Flags.boolean({ summary: 'one JSON document' }),
    fix: Flags.boolean({ summary: 'list the commands that may help; none is run' }),
    component: Flags.string({ char: 'c', summary: 'only `turnout` or this runtime', helpValue: 'ID' }),
    runner: runnerFlag,
    install: Flags.boolean({ summary: 'list the commands that install what is missing; none is run' }),
    'read-only': Flags.boolean({ summary: 'always so: nothing is written', allowNo: true }),
    offline: Flags.boolean({ summary: 'always so: no connection is opened' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DoctorCommand);
    const { runners, broken } = await commandRunners(flags.runner, { lenient: true });
    const { component } = flags;
    const known = component === undefined || component === 'turnout' || byId(component, runners) !== null;
    // Programs read it in the report.
    if (!known && !flags.json && !broken.some(({ runner }) => runner.includes(component))) {
      const [guess] = nearest(component, runners);
      const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
      throw new UsageError(`unknown component ${JSON.stringify(component)}${hint}`, { hint: 'turnout doctor' });
    }
    const report = await doctor(runners, {
      broken,
      places: thisMachine({ turnout: ownArgv() }),
      version: VERSION,
      fix: flags.fix,
      install: flags.install,
      readOnly: flags['read-only'],
      offline: flags.offline,
      ...(flags.component === undefined ? {} : { component: flags.component }),
    });
    await this.print(flags.json ? `${JSON.stringify(report)}\n` : doctorTable(report));
    process.exitCode = report.success ? 0 : 1;
  }
}
