/** Runs faults and says how each turn ended and what is wrong with that. */

import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isType } from '../contract/cli.js';
import { orderFault } from '../contract/order.js';
import type { Fault } from './fault.js';
import { placeOf, runTurn, type TurnEnd } from './turn.js';

export interface Verdict {
  fault: Fault;
  end: TurnEnd;
  code: string | null;
  /** Null when the turn ended as it must. */
  wrong: string | null;
}

const codeOf = (end: TurnEnd): string | null => {
  const code = end.events.find((event) => isType('error')(event) && event['code'] !== 'bad-frame')?.['code'];
  return code === undefined ? null : String(code);
};

function complaint(fault: Fault, end: TurnEnd, plainPeak: number | null): string | null {
  if (end.late) return 'had to be ended by the watchdog';
  const order = orderFault(end.events);
  if (order !== null) return order;
  if (end.exit !== fault.exit) return `exits with ${end.exit ?? end.signal}, not ${fault.exit}`;
  if (codeOf(end) !== fault.code) return `ends with ${codeOf(end)}, not ${fault.code}`;
  if (end.events.at(-1)?.['exit_code'] !== end.exit) return 'its done names another exit code';
  if (fault.text !== undefined && end.text !== fault.text) return `says ${JSON.stringify(end.text.slice(0, 80))}`;
  if (end.survivors > 0) return `${end.survivors} processes are left`;
  if (end.temp > 0) return `${end.temp} temporary files are left`;
  if (fault.mebibytes !== undefined && end.peak !== null && plainPeak !== null) {
    const above = (end.peak - plainPeak) / 1024;
    if (above > fault.mebibytes) return `takes ${above.toFixed(0)} MiB more than a plain answer`;
  }
  return fault.judge?.(end.events) ?? null;
}

/** @param plainPeak what a plain answer took at most, KiB; null when memory is not judged */
export async function judge(fault: Fault, size: 'full' | 'small', plainPeak: number | null): Promise<Verdict> {
  const program = fault.size === undefined ? fault.program : [...fault.program, String(fault.size[size])];
  const where = placeOf(program);
  try {
    const end = await runTurn(where, fault.flags ?? [], fault.send);
    let wrong = complaint(fault, end, plainPeak);
    for (let again = 1; again < (fault.starts ?? 1) && wrong === null; again++) {
      const other = await runTurn(where, fault.flags ?? []);
      wrong = complaint({ ...fault, exit: 0, code: null, judge: undefined }, other, null);
      if (wrong !== null) wrong = `start ${again + 1}: ${wrong}`;
    }
    return { fault, end, code: codeOf(end), wrong };
  } finally {
    rmSync(dirname(where.cwd), { recursive: true, force: true });
  }
}
