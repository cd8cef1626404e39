import { EventEmitter } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobLauncher, notStarted } from '../../src/process/windows/job-object.js';
import { endOnWindows, type Leader } from '../../src/process/windows/tree.js';

const test = suite('ends on Windows');

/** A process as Node holds it. @param dies whether a kill ends it */
class Fake extends EventEmitter implements Leader {
  readonly pid = 4242;
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly sent: string[] = [];

  constructor(readonly dies: boolean) {
    super();
  }

  kill(signal: 'SIGKILL'): boolean {
    this.sent.push(signal);
    if (!this.dies) return false;
    setImmediate(() => {
      this.exitCode = 1;
      this.emit('exit');
    });
    return true;
  }
}

test('the launcher of a job is killed, and the job with it', async () => {
  const leader = new Fake(true);
  assert.equal(await endOnWindows(leader, true, 10_000), { survivors: [] });
  assert.equal(leader.sent, ['SIGKILL']);
});

test('one that does not end is named', async () => {
  assert.equal(await endOnWindows(new Fake(false), true, 20), { survivors: [4242] });
});

test('the number of a process that has ended is not used: it may be another’s by now', async () => {
  for (const inJob of [true, false]) {
    const leader = new Fake(true);
    leader.exitCode = 0;
    assert.equal(await endOnWindows(leader, inJob, 10_000), { survivors: [] });
    assert.equal(leader.sent, []);
  }
});

test('an exit code of the launcher tells why nothing was started, those of programs do not', () => {
  assert.is(notStarted(0x54000002), 'The program could not be started (Windows error 2).');
  for (const code of [null, 0, 1, 2, 0xc0000005, 0x55000002, 0x53ffffff]) assert.is(notStarted(code), null);
});

test('elsewhere there is no launcher', () => {
  if (process.platform !== 'win32') assert.is(jobLauncher(), null);
});

test.run();
