/** The options of a turn as the command line of `turnout agent exec`. Long and secret things go into private files. */

import { resolve } from 'node:path';
import type { ToolDefinition } from '../contract/tool.js';
import type { TurnOptions } from '../host/options.js';
import { jsonSchemaOf } from '../host/schema.js';

/** Writes a file that only we can read. @returns its path */
export type WriteFile = (name: string, text: string) => Promise<string>;

const ms = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${Math.round(value)}ms`;

/** A file of variables has one on a line. */
const fitsLine = (value: string): boolean => !/[\r\n]/.test(value);

/** @returns what stands after the program's own argv */
export async function execArgv(
  options: TurnOptions,
  tools: readonly ToolDefinition[],
  write: WriteFile,
): Promise<string[]> {
  const argv = ['agent', 'exec', '--runtime', options.runtime, '--cwd', resolve(options.cwd ?? '.')];
  const flag = (name: string, value: string | number | undefined) => {
    if (value !== undefined) argv.push(`--${name}`, String(value));
  };
  flag('prompt-file', await write('prompt', options.prompt));
  if (options.system !== undefined) flag('system-file', await write('system', options.system));
  flag('model', options.model);
  flag('effort', options.effort);
  flag('resume', options.resume);
  flag('access', options.access);
  if (options.allowRoot) argv.push('--allow-root');
  flag('sandbox', options.sandbox);
  flag('sandbox-fallback', options.sandboxFallback);
  if (options.allowBashPrefix && options.allowBashPrefix.length > 0) {
    flag('allow-bash-prefix', options.allowBashPrefix.join(','));
  }
  flag('max-turns', options.maxTurns);
  flag('budget-usd', options.budgetUsd);
  flag('timeout', ms(options.timeoutMs));
  flag('idle-timeout', ms(options.idleTimeoutMs));
  flag('startup-timeout', ms(options.startupTimeoutMs));
  flag('tool-timeout', ms(options.toolTimeoutMs));
  if (options.settings && options.settings.length > 0) flag('settings', options.settings.join(','));
  if (options.mcpServers) {
    flag('mcp-config', await write('mcp.json', JSON.stringify({ mcpServers: options.mcpServers })));
  }
  for (const path of options.images ?? []) flag('image', resolve(path));
  for (const path of options.files ?? []) flag('file', resolve(path));
  if (options.outputSchema) {
    flag(
      'output-schema',
      await write('schema.json', JSON.stringify(jsonSchemaOf(options.outputSchema, 'outputSchema'))),
    );
  }
  const variables = Object.entries(options.env ?? {});
  const lines = variables.filter(([, value]) => fitsLine(value)).map(([name, value]) => `${name}=${value}\n`);
  if (lines.length > 0) flag('env-file', await write('env', lines.join('')));
  for (const [name, value] of variables) if (!fitsLine(value)) flag('env', `${name}=${value}`);
  if (options.record !== undefined) flag('record', resolve(options.record));
  flag('speed', options.speed);
  if (tools.length > 0) argv.push('--tools', 'stdio', '--tools-file', await write('tools.json', JSON.stringify(tools)));
  if (options.onPermission) argv.push('--approvals', 'stdio');
  return argv;
}
