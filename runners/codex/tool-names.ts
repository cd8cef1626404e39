/** Names under which caller tools are offered: a dynamic tool with the name of one of codex's own silently vanishes. */

/** Tools of codex 0.171.0 for all of its models. */
const OWN = new Set([
  'apply_patch',
  'clock',
  'close_agent',
  'create_goal',
  'exec',
  'exec_command',
  'followup_task',
  'functions',
  'get_goal',
  'image_generation',
  'interrupt_agent',
  'list_agents',
  'list_mcp_resource_templates',
  'list_mcp_resources',
  'local_shell',
  'multi_agent_v1',
  'read_mcp_resource',
  'request_permissions',
  'request_user_input',
  'resume_agent',
  'send_input',
  'send_message',
  'shell',
  'shell_command',
  'sleep',
  'spawn_agent',
  'tool_search',
  'update_goal',
  'update_plan',
  'view_image',
  'wait',
  'wait_agent',
  'web_search',
  'write_stdin',
]);

const PREFIX = 'caller_';

/** @returns the name to offer; `mcp__…` is refused by codex as reserved */
export function offeredName(name: string): string {
  return OWN.has(name) || name.startsWith('mcp__') ? PREFIX + name : name;
}

/**
 * @param offered what the model called
 * @param declared names of the turn's tools
 */
export function declaredName(offered: string, declared: readonly string[]): string {
  return declared.find((name) => offeredName(name) === offered) ?? offered;
}
