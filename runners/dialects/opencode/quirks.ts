/** Where OpenCode (1.18.33) and Kilo Code (7.7.7), which grew out of it, leave ACP's path. */

import { type Quirks, usageOfLastCall } from '../acp/index.js';
import { classify } from './errors.js';
import { AGENT } from './invoke.js';
import { logReader } from './log.js';
import { PLAIN } from './permissions.js';

export const quirks = (title: string): Quirks => ({
  title,
  mcpNames: ['{server}_{tool}'],
  plainServer: PLAIN,
  refusedByRule: /^The user has specified a rule which prevents you from using this specific tool call\./,
  // "/etc/hosts, what is it?" would be an unknown command, and an empty answer.
  commandMarks: '/',
  continueBy: 'resume',
  checksDirectory: true,
  // Our rules came with this agent: without it they are not there.
  mode: { ids: { scoped: AGENT, none: AGENT, read: AGENT, edit: AGENT, full: AGENT }, required: true },
  model: 'session',
  efforts: { off: 'none' },
  steersByPrompt: true,
  planFromTodos: true,
  repeatsCut: true,
  tokens: usageOfLastCall,
  sessionCost: true,
  log: logReader,
  // Its log names the MCP servers that are not there.
  logsServers: true,
  classify,
});
