/** The options of a turn as they are once read, whatever the entrance. */

import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject } from '../contract/vocabulary.js';
import type { PlainOptions } from './options.js';

/** How `agent exec` prints: events, the answer alone, or one object at the end. */
export const OUTPUT_FORMATS = ['ndjson', 'text', 'json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Options as they are once read. */
export interface TurnValues extends Required<Omit<PlainOptions, 'mcpServers' | 'outputSchema'>> {
  mcpServers: JsonObject;
  outputSchema: JsonObject;
  /** Who answers permission questions. */
  approvals: 'deny' | 'stdio';
  /** Who answers the agent's own questions. */
  questions: 'decline' | 'stdio';
  tools: readonly ToolDefinition[];
  /** The series of turns that this one belongs to, and who speaks in it. */
  org: string;
  role: string;
  // Only a command line has these.
  promptFile: string;
  promptFrame: boolean;
  callerTools: 'none' | 'stdio';
  toolNames: readonly ToolDefinition[];
  envFile: string;
  runners: readonly string[];
  protocol: '1';
  format: OutputFormat;
  keep: boolean;
  verboseNative: boolean;
  json: boolean;
  claudePath: string;
}
