/** Access mode as rules of Gemini CLI's policy engine (0.61.0): first match by priority, `*` last. */

import { asksBeyond, type TurnRequest } from '../../src/runner/request.js';

type Verdict = 'allow' | 'deny' | 'ask_user';

const READERS = [
  'glob',
  'grep_search',
  'list_directory',
  'read_file',
  'read_many_files',
  'update_topic',
  'write_todos',
];
const WEB = ['google_web_search', 'web_fetch'];
const SHELL = 'run_shell_command';
const WRITERS = ['replace', 'write_file'];
/** Leave the mode, start agents of their own, or need a person. */
const NEVER = [
  'activate_skill',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'invoke_agent',
  'list_background_processes',
  'read_background_output',
  'save_memory',
];

// One broken rule makes it drop the whole file: names are plain JSON strings, and every rule has a tool name.
const rule = (toolName: readonly string[] | string, decision: Verdict, priority: number, more = ''): string =>
  `[[rule]]\ntoolName = ${JSON.stringify(toolName)}\ndecision = "${decision}"\npriority = ${priority}\n${more}\n`;

/** Its own scratch folder counts as part of the workspace: not for writing through us. */
const OWN_FOLDER = `argsPattern = ${JSON.stringify('\\.gemini[\\\\/]+tmp')}\n`;

function forTools(request: TurnRequest, walled: boolean): string[] {
  // Denied tools are not offered to the model; what only a host could allow is offered when one is asked.
  const above: Verdict = asksBeyond(request) ? 'ask_user' : 'deny';
  const shell: Verdict = walled || request.allowBashPrefix.length > 0 ? 'ask_user' : 'deny';
  switch (request.access) {
    case 'scoped':
      return [rule([...WRITERS, ...WEB], above, 600)];
    case 'none':
      return [rule([...READERS, ...WRITERS, ...WEB, SHELL], 'deny', 700)];
    case 'read':
      return [rule(WEB, 'allow', 600), rule(WRITERS, above, 600)];
    case 'edit':
      // Our answers distinguish ordinary files from those that steer git. Commands it knows as read-only, git among them, would run unasked.
      return [rule(WEB, 'allow', 600), rule(WRITERS, above, 700, OWN_FOLDER), rule(SHELL, shell, 700)];
    case 'full':
      return [];
    default: {
      const never: never = request.access;
      return never;
    }
  }
}

/**
 * Shell commands are asked for, but for those it knows to read only; at `edit` there are none outside walls. So is everything without a name here: a wildcard that
 * denies would beat the wildcard that allows a server, whose tools it can't distinguish by name.
 * @param servers names of the MCP servers given to the session
 * @param walled whether walls of the operating system stand around the program
 */
export function policy(request: TurnRequest, servers: readonly string[], walled: boolean): string {
  return [
    rule('*', 'ask_user', 500),
    rule(READERS, 'allow', 600),
    rule(NEVER, 'deny', 600),
    ...forTools(request, walled),
    ...servers.flatMap((server) => [
      rule('*', 'allow', 900, `mcpName = ${JSON.stringify(server)}\n`),
      rule(`mcp_${server}_*`, 'allow', 900),
    ]),
  ].join('\n');
}
