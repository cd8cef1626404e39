// limit: 300s
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, browserProgram, type Look, look, runShown, scenarios } from './browser.js';

const test = suite('long turns on the page');
const program = browserProgram();
const scenario = scenarios(test);
let on: Look;
let page: Page;

test.before(async () => {
  if (program === null) return;
  on = await look(program);
  ({ page } = await on.visit());
});
test.after(async () => {
  if (program !== null) await on.close();
});

/**
 * Scrolls up and down again in steps, as a wheel does.
 * @returns of each frame: the time it took, and what the page's own thread worked in it, in milliseconds
 */
async function scrolled(steps: number): Promise<{ took: number[]; worked: number[] }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const took: number[] = [];
  const worked: number[] = [];
  let before = await work();
  for (let step = 0; step < steps; step++) {
    took.push(
      await page.evaluate(
        async (by) => {
          const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
          const began = await frame();
          document.querySelector('.scroller')?.scrollBy(0, by);
          return (await frame()) - began;
        },
        step < steps / 2 ? -800 : 800,
      ),
    );
    const now = await work();
    worked.push(now - before);
    before = now;
  }
  await session.detach();
  return { took, worked };
}

scenario('a run of 20,000 events scrolls and stays small', async () => {
  const prompt = Array.from({ length: 20 }, () => 'long').join(' then ');
  await ask(page, prompt);
  await page.locator('.ending').last().waitFor({ timeout: 120_000 });
  assert.ok((await runShown(page)).last_seq > 20_000);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const { took, worked } = await scrolled(120);
  const [slowest, most] = [Math.max(...took), Math.max(...worked)];
  const mib = usedSize / 2 ** 20;
  console.log(
    `20,000 events: heap ${mib.toFixed(0)} MiB; worst frame ${slowest.toFixed(0)} ms, of work ${most.toFixed(0)} ms`,
  );
  assert.ok(mib <= 150, `${usedSize} bytes`);
  // A busy machine makes frames late whatever the page does: the page's own work is what counts.
  assert.ok(most <= 50, `${most} ms of work in a frame`);
  assert.ok((took.sort((a, b) => a - b)[took.length / 2] ?? Number.NaN) <= 50, `frames of ${took} ms`);
});

test.run();
