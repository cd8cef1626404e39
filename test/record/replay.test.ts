import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Recording } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import type { Conversation } from '../../src/runner/action.js';
import { machine, request } from '../runners/drive.js';
import { runner } from '../turn/stage.js';

/** Knows its cost only from a file that the program leaves. */
const tellsAtExit: Conversation = {
  hear(heard) {
    if (heard.type !== 'exit' || typeof heard.files['usage'] !== 'string') return [];
    const spent = { input: Number(heard.files['usage']), output: 1, cached: null, costUsd: null };
    return [{ do: 'spend', scope: 'turn', spent }];
  },
};

test('a stopped turn waits for the recorded exit, whose files have the usage', async () => {
  const recording: Recording = {
    request: request(),
    machine: machine(),
    limits: { timeoutMs: 0, idleMs: 0, startupMs: 0 },
    entries: [
      { t: 10, k: 'frame', frame: { type: 'cancel' } },
      { t: 1600, k: 'exit', code: null, signal: 'SIGTERM', files: { usage: '7' } },
    ],
  };
  const { events, exitCode } = await replay(recording, runner({ converse: () => tellsAtExit }));
  assert.is(exitCode, 130);
  assert.equal(
    events.map(({ type }) => type),
    ['start', 'usage', 'error', 'done'],
  );
});

test.run();
