/** Lines that say nothing a host needs: their types, and the subtypes of `system` lines. */

export const SILENT = new Set([
  'keep_alive',
  'command_lifecycle',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'prompt_suggestion',
]);
export const SILENT_SYSTEM = new Set([
  'status',
  'thinking_tokens',
  'background_tasks_changed',
  'task_updated',
  'task_started',
  'task_progress',
  'task_notification',
  'compact_boundary',
  'permission_denied',
  'model_refusal_no_fallback',
]);
