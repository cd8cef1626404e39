/** How that host tells from the events what came of a turn. */

import type { FlatEvent } from './flat-struct.js';

export interface Verdict {
  text: string;
  session: string;
  /** null: the turn went well. */
  failure: { code: string; message: string } | null;
  /** No `done` was seen. */
  interrupted: boolean;
  exitCode: number | null;
  usage: { input: number | null; output: number | null; cost: number | null };
}

/** Its rules: `result.text` wins, then deltas since the last call, then the last message; only fatal errors count. */
export function verdict(
  events: readonly FlatEvent[],
  how: { cancelled: boolean; processCode: number | null },
): Verdict {
  let streams = false;
  let deltas = '';
  let last = '';
  let final: string | null = null;
  let session = '';
  let failure: Verdict['failure'] = null;
  let exitCode: number | null = null;
  let usage: Verdict['usage'] = { input: null, output: null, cost: null };
  const figures = (event: FlatEvent) => ({
    input: event.number('input_tokens'),
    output: event.number('output_tokens'),
    cost: event.number('cost_usd'),
  });
  for (const event of events) {
    switch (event.type) {
      case 'start':
        streams = event.flag('streams_incrementally');
        break;
      case 'session':
        session = event.text('session_id');
        break;
      case 'assistant':
        if (event.text('parent_tool_use_id')) break;
        deltas += event.text('text');
        last = event.text('text');
        break;
      case 'tool_call':
        deltas = '';
        break;
      case 'usage':
        // Taken for the state of things, not for a difference; `result` sets it right.
        usage = figures(event);
        break;
      case 'result':
        usage = figures(event);
        if (event.text('text')) final = event.text('text');
        if (event.flag('is_error')) failure ??= { code: 'runner-error', message: event.text('stop_reason') };
        break;
      case 'error':
        if (event.flag('fatal')) failure ??= { code: event.text('code'), message: event.text('message') };
        break;
      case 'done':
        exitCode = event.number('exit_code');
        if (exitCode !== 0) failure ??= { code: 'runner-error', message: `exit code ${exitCode}` };
        break;
    }
  }
  if (how.cancelled && exitCode === null) {
    exitCode = 130;
    failure ??= { code: 'cancelled', message: 'cancelled' };
  }
  if (how.processCode !== 0) failure ??= { code: 'runner-error', message: 'the program exited' };
  return {
    text: final ?? (streams ? deltas : last),
    session,
    failure,
    interrupted: exitCode === null,
    exitCode,
    usage,
  };
}
