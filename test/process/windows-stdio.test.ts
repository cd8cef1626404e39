import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPipe } from '../../src/process/file-kind.js';
import { unblock } from '../../src/process/unblock-stdout.js';

const test = suite('stdio on Windows');

/** As Node lays out a pipe of stdout there: a synchronous writer over that of its sockets. */
class BlockingPipe extends Writable {
  readonly asked: boolean[] = [];
  readonly written: string[] = [];
  readonly _handle: unknown;

  constructor(result = 0) {
    super();
    this._handle = {
      setBlocking: (on: boolean) => {
        this.asked.push(on);
        return result;
      },
    };
    const sync = (_: unknown, __: unknown, then: () => void) => {
      this.written.push('blocking');
      then();
    };
    Object.defineProperty(this, '_write', { configurable: true, value: sync });
    Object.defineProperty(this, '_writev', { configurable: true, value: null });
  }

  override _write(_: unknown, __: BufferEncoding, then: () => void): void {
    this.written.push('waiting');
    then();
  }
}

test('a blocking pipe is written to without blocking from then on', () => {
  const pipe = new BlockingPipe();
  assert.is(unblock(pipe, 'win32'), true);
  pipe.write('x');
  assert.equal(pipe.asked, [false]);
  assert.equal(pipe.written, ['waiting']);
});

test('a pipe that can not be changed keeps its synchronous writer', () => {
  const pipe = new BlockingPipe(-1);
  assert.is(unblock(pipe, 'win32'), false);
  pipe.write('x');
  assert.equal(pipe.written, ['blocking']);
});

test('other streams and other systems are left alone', () => {
  assert.is(unblock(new Writable({ write: (_, __, then) => then() }), 'win32'), false);
  const pipe = new BlockingPipe();
  assert.is(unblock(pipe, 'linux'), false);
  assert.equal(pipe.asked, []);
});

test('a pipe is known by its mode, not by what Node says of it', () => {
  assert.is(isPipe({ mode: 0o010644 }), true);
  assert.is(isPipe({ mode: 0o100644 }), false);
  assert.is(isPipe({ mode: 0o140755 }), false);
});

test.run();
