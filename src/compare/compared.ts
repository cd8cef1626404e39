/** What came of one prompt on one runtime, beside the others. */

import type { ErrorCode } from '../contract/error.js';
import type { PatchFile } from '../contract/tool-event.js';

export interface Compared {
  /** From 1 on, in the order of `--runtime`. */
  n: number;
  runtime: string;
  model: string | null;
  status: 'ok' | 'error' | 'cancelled';
  error: { code: ErrorCode; message: string; hint: string | null; resets_at: string | null } | null;
  /** The last message; null when there was none. */
  output: string | null;
  duration_ms: number;
  usage: { input_tokens: number | null; output_tokens: number | null; cached_tokens: number | null };
  cost_usd: number | null;
  session_id: string | null;
  /** For `turnout history show`; null when it is not kept. */
  history_id: string | null;
  /** null when nothing was changed, or nothing could be. */
  diff: { files: PatchFile[]; added: number; removed: number; patch_path: string } | null;
  /** For `turnout workspace`; null when the turn worked in the folder itself. */
  workspace: string | null;
  /** How the check of `--check` ended in the copy; null without one. */
  check: { exit_code: number | null } | null;
}

export interface Comparison {
  v: 1;
  prompt: string;
  results: readonly Compared[];
  /** The number of the result that was chosen. */
  picked: number | null;
  landed: boolean;
}
