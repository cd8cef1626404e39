/**
 * What the modes mean in Claude Code's own terms. Measured with 2.1.332: without a rule, reading and writing outside
 * the working directory, symbolic links included, and every command that does more than read arrive as questions; a
 * tool that is not in `--tools` does not exist, in subagents neither; `acceptEdits` would write inside unasked, `.git` too.
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { asksBeyond, type TurnRequest, writesUnasked } from '../../src/runner/request.js';
import { GUARD } from '../dialects/claude-stream/index.js';

const READING = ['Read', 'Grep', 'Glob', 'Bash'];
const PLANNING = ['Agent', 'TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'];
const WEB = ['WebFetch', 'WebSearch'];
const WRITING = ['Edit', 'Write', 'NotebookEdit'];
/** Tools that wait for a person, and those that work on after the turn. */
const UNFIT = ['EnterPlanMode', 'ExitPlanMode', 'CronCreate', 'ScheduleWakeup', 'RemoteTrigger', 'Monitor'];

const ASKING = 'AskUserQuestion';

/** @param uid0 whether we run as root, where the program refuses to bypass its questions: they are all answered with yes */
export function accessFlags(request: TurnRequest, uid0: boolean): string[] {
  if (request.access === 'full') {
    const mode = uid0 ? 'default' : 'bypassPermissions';
    const unfit = request.questions === 'stdio' ? UNFIT : [ASKING, ...UNFIT];
    return ['--permission-mode', mode, '--disallowedTools', unfit.join(',')];
  }
  if (request.access === 'none') return ['--tools', '', '--permission-mode', 'default'];
  const write = writesUnasked(request);
  // The host may allow more than the mode, if it is asked.
  const asked = asksBeyond(request);
  const web = asked || request.access !== 'scoped' ? WEB : [];
  const questions = request.questions === 'stdio' ? [ASKING] : [];
  const tools = [...READING, ...PLANNING, ...questions, ...web, ...(write || asked ? WRITING : [])];
  return ['--tools', tools.join(','), '--permission-mode', 'default'];
}

/**
 * With the user's configuration come permission rules and servers that would let things pass without a question; and
 * commands that it takes for harmless, git among them, run unasked although a file that was written may steer them. A hook
 * sees every call before that and sends it to the question. Measured with a rule that allows all of Bash.
 */
export function guardHooks(request: TurnRequest): JsonObject | null {
  if (request.access === 'full') return null;
  if (request.settings.length === 0 && !writesUnasked(request) && request.approvals !== 'stdio') return null;
  return { PreToolUse: [{ hookCallbackIds: [GUARD] }] };
}
