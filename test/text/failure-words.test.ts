/** What vendors' own sentences mean; and that words in the middle of a line mean nothing. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOfComplaint } from '../../src/text/failure-words.js';

const KNOWN: Readonly<Record<string, string>> = {
  'You have hit your usage limit.': 'quota',
  "Error: You've hit your usage limit. Upgrade to Pro or try again in 3 days": 'quota',
  'ERROR: You have reached your monthly spending limit': 'quota',
  '2026-11-30T10:00:00.123Z ERROR Usage limit reached for this week': 'quota',
  '\u001b[31mError:\u001b[0m Insufficient credits': 'quota',
  'APIError: 429 Rate limit reached for gpt-5': 'rate-limited',
  '[error] Too many requests, slow down': 'rate-limited',
  'Error: 401 Unauthorized': 'auth',
  'Not logged in. Run `agent login`': 'auth',
  'fatal: Authentication failed': 'auth',
  'prompt is too long: 210000 tokens > 200000 maximum': 'context-full',
  "This model's maximum context length is 128000 tokens. However, you requested 130000": 'context-full',
  'Error: Model not found: foo': 'model-unavailable',
};

for (const [line, code] of Object.entries(KNOWN)) {
  test(`${line} is ${code}`, () => assert.is(codeOfComplaint(line), code));
}

test('the same words inside a sentence, in data or in a file’s name mean nothing', () => {
  for (const line of [
    'reading docs/You have hit your usage limit.md',
    'the user asked why "Rate limit exceeded" is shown',
    'const message = "Unauthorized";',
    'compiled in 401 ms',
    '',
    `Error: ${'x'.repeat(3000)} You have hit your usage limit`,
  ]) {
    assert.is(codeOfComplaint(line), null, line.slice(0, 60));
  }
});

test.run();
