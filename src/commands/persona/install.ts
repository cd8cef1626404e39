import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import { UsageError } from '../../contract/error.js';
import { ownArgv } from '../../exec/own-argv.js';
import { TurnoutCommand } from '../base.js';
import { linkPersona } from '../persona-link.js';
import { PERSONAS } from '../persona-name.js';

export default class PersonaInstall extends TurnoutCommand {
  static override summary = 'Make turnout answer under the name of another program of its protocol.';
  static override description =
    'Puts a link into a folder of the PATH. Started through it, the handshake reports the compatible version, and defaults ' +
    'are those of that program. docs/monomind.md says what is there and what is not.';
  static override examples = ['<%= config.bin %> persona install monomind ~/bin'];
  static override args = {
    name: Args.string({ description: PERSONAS.join(', '), required: true }),
    dir: Args.string({ description: 'the folder of the link (~/.local/bin)' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(PersonaInstall);
    const persona = PERSONAS.find((one) => one === args.name);
    if (persona === undefined) throw new UsageError(`unknown persona ${args.name}; there is ${PERSONAS.join(', ')}`);
    const folder = resolve(args.dir ?? join(homedir(), '.local', 'bin'));
    const { path, did } = linkPersona({ persona, folder, argv: ownArgv(), platform: process.platform });
    const known = (process.env['PATH'] ?? '').split(delimiter).includes(folder);
    await this.print(`${path} ${did ? 'is now turnout' : 'is turnout already'}\n`);
    if (!known) await this.print(`${folder} is not on the PATH\n`);
  }
}
