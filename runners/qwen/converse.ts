/** Qwen Code's turn: Claude's dialect with other habits (0.24.4). */

import type { Conversation } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { claudeStream, type StreamProgram } from '../dialects/claude-stream/index.js';
import { ERROR_TEXT, failure, lastWords, RETRY_STATUS } from './errors.js';
import { promptOf, SERVER } from './invoke.js';

/** A shell result is plain output, or a block that begins with "Command: " and says "Exit Code: 0" near its end. */
function exitCode({ text }: { text: string }): number | undefined {
  if (!text.startsWith('Command: ')) return undefined;
  const told = [...text.matchAll(/^Exit Code: (\d{1,3})$/gm)].at(-1)?.[1];
  return told === undefined ? undefined : Number(told);
}

const program: StreamProgram = {
  title: 'Qwen Code',
  kinds: { notebook_edit: 'edit', zoom_image: 'read', report_findings: 'other' },
  outputTool: 'structured_output',
  usage: 'messages',
  idPerBlock: true,
  promptBeginsAgent: true,
  errorText: ERROR_TEXT,
  background: /^Background agent launched successfully\./,
  refusedText: /^This "[^"]+" invocation was denied by permission rules\./,
  retryStatus: RETRY_STATUS,
  announcesAttempts: true,
  exitCode,
  failure,
  lastWords,
};

/** A further `user` frame starts a separate turn here, so guidance can't be sent. */
export function converse(request: TurnRequest): Conversation {
  const hasTools = request.toolsOn && request.tools.length > 0;
  return claudeStream(program, {
    prompt: promptOf(request),
    commands: request.settings.length > 0,
    hello: {},
    server: hasTools ? SERVER : null,
    serverInPipe: false,
    trusted: request.mcpServers.map(({ name }) => name),
    allowAll: request.access === 'full',
    steer: false,
  });
}
