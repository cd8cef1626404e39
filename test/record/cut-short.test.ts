/** A recording that says less than the turn needs still has its end. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import gptme from '../../runners/gptme/index.js';
import { readRecordings } from '../../src/record/recording.js';
import { replay } from '../../src/record/replay.js';
import { captures, survives } from '../faults/fuzz.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

test('the host never answers a call, and the runtime that would follow is gone', async () => {
  const capture = captures().find(({ name }) => name === 'gptme/tool.ndjson');
  if (!capture) throw new Error('there is no capture');
  const entries = capture.recording.entries.filter(({ k }) => k !== 'frame');
  await survives(capture, { ...capture.recording, entries });
});

test('nothing is left of it but its beginning', async () => {
  const [recording] = readRecordings(readFileSync(join(root, 'fixtures/gptme/text.ndjson'), 'utf8'));
  if (!recording) throw new Error('it is empty');
  const { events, exitCode } = await replay({ ...recording, entries: [] }, gptme);
  assert.is(events.at(-1)?.type, 'done');
  assert.is(exitCode, 1);
});

test.run();
