import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fault, file, read, refuses } from './reading.js';

test('flags win over the file; the last of a name wins', async () => {
  const path = file('vars.env', '# keys\n\nA=file\r\nB= quoted "stays" \n  C=c=d\n#D=1\n');
  const plan = await read('--env-file', path, '--env', 'A=flag', '--env=E=', '--env', 'E=2');
  assert.equal(plan.env, { A: 'flag', B: ' quoted "stays" ', C: 'c=d', E: '2' });
});

test('a faulty pair is refused without showing its text', async () => {
  for (const text of ['sk-secret', '=sk-secret', 'A B=sk-secret']) {
    const error = await fault(read('--env', 'A=1', '--env', text));
    assert.match(error.message, /^--env \(number 2\): /);
    assert.not.match(error.message, /secret/);
  }
  await refuses(read('--env-file', file('bad.env', 'A=1\nexport B=2\n')), /^--env-file: line 2: /);
  await refuses(read('--env-file', file('bad.env', 'A=1\n\nsk-secret\n')), /^--env-file: line 3: .*no "="$/);
});

test.run();
