/**
 * Ids that name a run: `call_RUN_3` for a tool call, `resp_RUN_1` for a response. They find the run by themselves, so that a
 * client need not send anything else back. RUN is the run's 128 bits in base 62: 22 characters, so an id has at most 40.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 22;
const RUN = /^run_([0-9a-f]{32})$/;
const ID = /^([a-z]+)_([0-9A-Za-z]{22})_(\d{1,7})$/;

export interface RunPart {
  run: string;
  /** Counts within the run. */
  part: number;
}

/** @returns null for a run whose id is not one of ours */
export function idOf(prefix: string, { run, part }: RunPart): string | null {
  const hex = RUN.exec(run)?.[1];
  if (hex === undefined) return null;
  let value = BigInt(`0x${hex}`);
  let digits = '';
  for (let i = 0; i < WIDTH; i++) {
    digits = `${DIGITS[Number(value % 62n)] ?? ''}${digits}`;
    value /= 62n;
  }
  return `${prefix}_${digits}_${part}`;
}

/** @returns null for an id that another server gave */
export function readId(prefix: string, id: string): RunPart | null {
  const [, kind, digits = '', part = ''] = ID.exec(id) ?? [];
  if (kind !== prefix) return null;
  let value = 0n;
  for (const digit of digits) value = value * 62n + BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return hex.length > 32 ? null : { run: `run_${hex}`, part: Number(part) };
}

/** Calls of the caller's tools, permission questions and questions of one run, each with a letter of its own in the ids. */
const KINDS = [
  { own: 'tc', letter: '' },
  { own: 'pr', letter: 'p' },
  { own: 'q', letter: 'q' },
] as const;

/** @param call the run's own id of it: `tc_1`, `pr_1`, `q_1` */
export function callIdOf(prefix: string, run: string, call: string): string {
  const [own = '', part = ''] = call.split('_');
  const kind = KINDS.find((one) => one.own === own);
  return (kind && idOf(`${prefix}${kind.letter}`, { run, part: Number(part) })) ?? call;
}

/** @returns the run, and its own id of the call; null for an id that another server gave */
export function readCallId(prefixes: readonly string[], id: string): { run: string; call: string } | null {
  for (const prefix of prefixes) {
    for (const { own, letter } of KINDS) {
      const found = readId(`${prefix}${letter}`, id);
      if (found) return { run: found.run, call: `${own}_${found.part}` };
    }
  }
  return null;
}
