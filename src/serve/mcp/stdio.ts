/** `turnout mcp`: one client at the other end of stdin and stdout, from its first message to its end. */

import { setTimeout as later } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Core } from '../../runs/core.js';
import { pipe } from './pipe.js';
import { mcpServers } from './server.js';
import type { McpSettings } from './settings.js';

/** What a client that left us is owed, in ms: an answer to what it just asked, and an end of everything in less than a second. */
const END = { answers: 250, kill: 500 };

/** Ends everything that runs: asked first, killed soon after. */
async function clear(core: Core): Promise<void> {
  const gone = core.drain();
  core.cancelAll('shutdown');
  await Promise.race([gone, later(END.answers)]);
  core.cancelAll('shutdown');
  await Promise.race([gone, later(END.kill)]);
}

/** @param stopped resolves at a signal @param complain told what a client can't be told */
export async function serveMcpStdio(options: {
  settings: McpSettings;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  stopped: Promise<void>;
  complain(message: string): void;
}): Promise<void> {
  const { settings, stopped } = options;
  const { transport, over, idle } = pipe(options.input, options.output);
  const handle = serveStdio(mcpServers(settings), {
    transport,
    onerror: (error) => options.complain(error.message),
  });
  await Promise.race([over, stopped]);
  const cleared = clear(settings.core);
  // Who sends its requests and closes stdin at once still gets what can be answered at once.
  await Promise.race([idle(), later(END.answers)]);
  await cleared;
  await handle.close();
}
