/** Asks a turnout what it is, and says what to do when it is not what the host needs. */

import { TurnoutError } from '../contract/error.js';
import { type Handshake, PROTOCOL } from '../contract/handshake.js';
import { arr, num, parseObject, str } from '../text/json.js';
import { runCommand } from './command.js';
import type { FoundProgram } from './find.js';

const LIMIT = 15_000;

/**
 * @param requires capabilities the host can't do without
 * @throws {TurnoutError} unsupported: not turnout, another protocol, or a capability is missing; `hint` upgrades it
 */
export async function shakeHands(program: FoundProgram, requires: readonly string[]): Promise<Handshake> {
  const { code, stdout, stderr } = await runCommand(program, ['--version', '--json'], LIMIT);
  const answer = parseObject(stdout.trim());
  const refuse = (what: string) =>
    new TurnoutError('unsupported', `${program.path} ${what}. Update it: ${program.upgrade}`, {
      hint: program.upgrade,
    });
  if (code !== 0) throw refuse(`failed with exit code ${code}: ${stderr.trim().slice(-500)}`);
  const version = str(answer, 'version');
  if (!answer || str(answer, 'name') !== 'turnout' || version === undefined)
    throw refuse('does not answer as turnout does');
  if (num(answer, 'v') !== 1 || num(answer, 'protocol') !== PROTOCOL) {
    throw refuse(`(${version}) speaks protocol ${num(answer, 'protocol') ?? 'unknown'}, this host ${PROTOCOL}`);
  }
  const capabilities = (arr(answer, 'capabilities') ?? []).filter((one) => typeof one === 'string');
  const missing = requires.filter((one) => !capabilities.includes(one));
  if (missing.length > 0) throw refuse(`(${version}) can't do what this program needs: ${missing.join(', ')}`);
  return {
    v: 1,
    name: 'turnout',
    version,
    protocol: PROTOCOL,
    rev: num(answer, 'rev') ?? 0,
    min_caller: str(answer, 'min_caller') ?? '',
    capabilities,
  };
}
