/** What a turn, a model or a subagent used. */

/** How many subagents a turn started. */
export interface AgentLaunches {
  total: number;
  review: number;
}

/** What one model used in a turn. */
export interface ModelUsage {
  input: number;
  output: number;
  cache_read: number;
  cache_creation: number;
}

/** What a subagent used, as its runtime reports it. */
export interface SubagentUsage {
  total_tokens?: number;
  tool_uses?: number;
  duration_ms?: number;
}

/** What a whole turn used; null where the runtime does not report it. */
export interface Totals {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cost_usd: number | null;
}
