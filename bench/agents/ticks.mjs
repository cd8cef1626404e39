// Answers in Claude Code's stream-json with a delta every 4 ms, so many of them (500); each says when it was written.
import { begin, delta, endsWithStdin, init, result, say } from '../../fixtures/bin/speak.js';

let left = Number(process.argv[2] ?? 500);
say(init() + begin());
const timer = setInterval(() => {
  say(delta(` ${process.hrtime.bigint()};`));
  if (--left > 0) return;
  clearInterval(timer);
  say(result());
}, 4);
endsWithStdin();
