import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog, type LogFormat, type LogLevel } from '../../src/output/log.js';

function heard(format: LogFormat, level: LogLevel): string[] {
  const lines: string[] = [];
  const log = createLog({
    format,
    level,
    secrets: ['my-own-s3cret'],
    write: (line) => lines.push(line),
    now: () => new Date(0),
  });
  log.error('it failed', { path: '/a b', tries: 2 });
  log.warn('look: my-own-s3cret');
  log.info('Authorization: Bearer abcdefghijklmnop1234');
  log.debug('each request');
  return lines;
}

test('text is for people', () => {
  assert.equal(heard('text', 'info'), [
    'turnout: it failed path="/a b" tries=2\n',
    'turnout: look: [redacted]\n',
    'turnout: Authorization: Bearer [redacted]\n',
  ]);
});

test('JSON is one object a line', () => {
  const lines = heard('json', 'debug');
  assert.equal(
    lines.map((line) => JSON.parse(line)),
    [
      { time: '1970-01-01T00:00:00.000Z', level: 'error', message: 'it failed', path: '/a b', tries: 2 },
      { time: '1970-01-01T00:00:00.000Z', level: 'warn', message: 'look: [redacted]' },
      { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'Authorization: Bearer [redacted]' },
      { time: '1970-01-01T00:00:00.000Z', level: 'debug', message: 'each request' },
    ],
  );
  assert.ok(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1));
});

test('the level says how much', () => {
  const counts = (['silent', 'error', 'warn', 'info', 'debug'] as const).map((level) => heard('json', level).length);
  assert.equal(counts, [0, 1, 2, 3, 4]);
});

test.run();
