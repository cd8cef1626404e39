import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDuration } from '../../src/text/duration.js';

const test = suite('duration');

for (const [text, ms] of [
  ['0', 0],
  ['0ms', 0],
  ['0.0h', 0],
  ['30', 30_000],
  ['1.5', 1500],
  ['250ms', 250],
  ['1.5s', 1500],
  ['1.1s', 1100],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['0.1ms', 1],
  ['007', 7000],
] as const) {
  test(`${text} is ${ms} ms`, () => assert.is(parseDuration(text), ms));
}

for (const text of [
  '',
  ' ',
  '5 s',
  ' 5',
  '5\n',
  '-1',
  '+1',
  '1e3',
  '.5',
  '5.',
  '1,5',
  '5d',
  '5S',
  'ms',
  '0x10',
  'Infinity',
  'NaN',
  '٣',
  `1${'0'.repeat(400)}`,
]) {
  test(`${JSON.stringify(text.slice(0, 12))} is not a duration`, () => assert.is(parseDuration(text), null));
}

test.run();
