/** Where OpenCode (1.18.33) leaves ACP's path. */

import { type Quirks, usageOfLastCall } from '../dialects/acp/index.js';
import { classify } from './errors.js';
import { AGENT } from './invoke.js';
import { logReader } from './log.js';
import { PLAIN } from './permissions.js';

export const quirks: Quirks = {
  title: 'OpenCode',
  mcpNames: { title: ['{server}_{tool}'] },
  plainServer: PLAIN,
  refusedByRule: /^The user has specified a rule which prevents you from using this specific tool call\./,
  // "/etc/hosts, what is it?" would be a command nobody knows, and an answer without a word.
  commandMarks: '/',
  continueBy: 'resume',
  checksDirectory: true,
  // Our rules came with this agent: without it they are not there.
  mode: { ids: { scoped: AGENT, read: AGENT, edit: AGENT, full: AGENT }, required: true },
  model: 'session',
  efforts: { off: 'none' },
  steersByPrompt: true,
  planFromTodos: true,
  tokens: usageOfLastCall,
  sessionCost: true,
  log: logReader,
  classify,
};
