/**
 * A prompt that rewinds: what comes after an earlier prompt of the person is dropped before the turn. Because that can't be
 * seen in what is said later, the client states it, and every doubt is refused before anything is written.
 */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { UserTurn } from './history.js';
import { CODE, RpcError } from './rpc.js';

export interface Cut {
  ordinal?: Json;
  row?: Json;
  message?: Json;
  confirmed?: Json;
  emptied?: Json;
}

const asked = (value: Json | undefined): value is Json => value !== undefined;

/** Whether a prompt has anything to do with it. */
export const isCut = ({ ordinal, row, message, confirmed, emptied }: Cut): boolean =>
  [ordinal, row, message, confirmed, emptied].some(asked);

/** Numbers in strings pass; true is not 1. @throws {RpcError} 4004 */
function integer(name: string, value: Json): number {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new RpcError(CODE.truncation, `${name} must be an integer`);
}

/**
 * @param turns those of the person that there are
 * @returns the place of the turn that is dropped, with all after it; null when nothing is asked for
 * @throws {RpcError} in the order of the original: 4004, 4029, 4018, 4030, 4004, 4028
 */
export function cutAt(cut: Cut, turns: readonly UserTurn[]): number | null {
  const { ordinal, row, message } = cut;
  const confirmed = cut.confirmed === true;
  if (![ordinal, row, message].some(asked)) {
    if (confirmed || cut.emptied === true)
      throw new RpcError(CODE.truncation, 'confirm_truncate needs a target: truncate_before_row_id');
    return null;
  }
  const byRow = asked(row) ? integer('truncate_before_row_id', row) : null;
  const byOrdinal = asked(ordinal) ? integer('truncate_before_user_ordinal', ordinal) : null;
  if (!confirmed) throw new RpcError(CODE.unconfirmedTruncation, 'truncation drops history: it needs confirm_truncate');
  const data: JsonObject = {
    user_turn_count: turns.length,
    ordinal: byOrdinal,
    segment_ordinal: byOrdinal,
    prefix_user_count: 0,
  };
  const stale = () => new RpcError(CODE.staleTarget, 'target user message is no longer in session history', data);
  const found = [
    ...(byRow === null ? [] : [turns.findIndex(({ row_id }) => row_id === byRow)]),
    ...(asked(message) ? [turns.findIndex(({ run }) => run !== null && run.run_id === message)] : []),
  ];
  if (found.includes(-1)) throw stale();
  if (byOrdinal !== null && (byOrdinal < 0 || byOrdinal >= turns.length)) throw stale();
  const [place] = found;
  if (place === undefined)
    throw new RpcError(
      CODE.truncation,
      'truncate_before_user_ordinal alone is not enough: give truncate_before_row_id',
    );
  if (found.some((one) => one !== place) || (byOrdinal !== null && byOrdinal !== place))
    throw new RpcError(CODE.targetsDiffer, 'truncate_before_user_ordinal and truncate_before_row_id differ');
  if (place === 0 && cut.emptied !== true)
    throw new RpcError(CODE.emptyTruncation, 'nothing would be left: it needs confirm_empty_truncate');
  return place;
}

/** What became of the rows that a client knew. */
export function survivors(kept: readonly UserTurn[], rebind: readonly Json[] | undefined): JsonObject {
  const rows = kept.map(({ row_id }) => row_id);
  if (rebind === undefined) return { survivor_user_row_ids: rows };
  // Rows keep their numbers here.
  const map = rebind.map((row) => [String(row), rows.find((one) => one === row) ?? null] as const);
  return { survivor_row_id_map: Object.fromEntries(map) };
}
