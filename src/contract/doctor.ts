/** What `turnout doctor --json` tells. */

export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'info', 'skip'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

export interface Check {
  /** `turnout` for what all runtimes share, else the id of a runtime. */
  component: string;
  name: string;
  status: CheckStatus;
  /** For people. Names variables, never their values. */
  message: string;
  /** A command that helps, alone; it is never run. */
  fix: string | null;
  /** `manual`: a person decides whether to run it. */
  fix_safety: 'manual' | null;
  /** No flag of ours runs a fix. */
  fix_flag: null;
  skipped_reason: string | null;
}

export interface Doctor {
  v: 1;
  cwd: string;
  /** Always: nothing is written and nothing but turnout itself is started. */
  read_only: true;
  /** Always: no connection is opened. */
  offline: true;
  /** No check failed. */
  success: boolean;
  error: string | null;
  summary: { passed: number; warnings: number; failed: number; info: number; skipped: number };
  results: Check[];
  /** With `--fix`: the commands a person may run. */
  fixes: { component: string; outcome: 'not-run'; command: string }[];
}
