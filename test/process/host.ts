/** A program that uses `launch` like a host's turnout would: `node host.mjs MARKER AGENT [ARG…]`. It never ends by itself. */

import { join } from 'node:path';
import { childEnv } from '../../src/process/child-env.js';
import { launch } from '../../src/process/launch.js';
import { privateDir } from '../../src/process/temp-files.js';

const [turnId = '', agent = '', ...args] = process.argv.slice(2);
const say = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`);
const dir = await privateDir();
await dir.write('prompt.txt', 'private');
say({ dir: dir.path });
const running = await launch(
  {
    argv: [process.execPath, join(process.cwd(), 'fixtures', 'bin', agent), ...args],
    cwd: process.cwd(),
    env: childEnv({ ambient: process.env, scrub: [], foreignKeys: [], set: {}, explicit: {}, turnId }),
    stdin: 'hold',
    stdout: 'pipe',
    marker: { name: 'TURNOUT_TURN', value: turnId },
    privateDir: dir.path,
  },
  {
    line: (line) => say({ line }),
    stderr: (stderr) => say({ stderr }),
    dropped: (dropped) => say({ dropped }),
    exit: (code, signal) => say({ code, signal }),
  },
);
say({ pid: running.pid });
process.on('SIGUSR2', async () => {
  const { survivors } = await running.end({ now: true });
  await dir.remove();
  say({ survivors });
});
setInterval(() => {}, 1000);
