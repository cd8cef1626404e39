// limit: 180s
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, browserProgram, type Look, look, scenarios } from './browser.js';

const test = suite('what people do on the page');
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

const over = () => page.locator('.ending').last().waitFor();

scenario('many tabs share one feed, and another one reads on when the reader is closed', async () => {
  const { page: first, context } = await on.visit();
  await ask(first, 'say one to list');
  await first.locator('.ending').waitFor();
  await first.goto(new URL(first.url()).origin);
  await first.locator('.run-row').first().waitFor();
  const tabs = [first];
  let feeds = 0;
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/page/watch') feeds++;
  });
  while (tabs.length < 8) {
    const tab = await context.newPage();
    await tab.goto(first.url());
    await tab.locator('.run-row').first().waitFor();
    await tab.locator('.connection-live').waitFor();
    tabs.push(tab);
  }
  assert.is(feeds, 0, 'a further tab opened a feed of its own');
  await first.close();
  const last = tabs.at(-1) ?? first;
  await ask(last, 'say heard by the next reader');
  await last.locator('.ending').waitFor();
  await tabs[1]?.locator('.run-row', { hasText: 'heard by the next reader' }).first().waitFor();
  assert.is(feeds, 1);
  await context.close();
});

scenario('changes open beside the conversation, lines take comments, and the width stays', async () => {
  await ask(page, 'write notes.md hello', 'edit');
  await over();
  await page.getByRole('button', { name: 'Open beside' }).first().click();
  const side = page.getByRole('region', { name: 'Changes', exact: true }).first();
  await side.locator('.diff-line.add').first().waitFor();
  const bar = page.getByRole('separator', { name: 'Width of the right pane' });
  const before = Number(await bar.getAttribute('aria-valuenow'));
  await bar.press('ArrowLeft');
  assert.is(Number(await bar.getAttribute('aria-valuenow')), before + 5);
  await side
    .getByRole('button', { name: /Comment on line 1/ })
    .last()
    .click();
  await side.getByRole('textbox').fill('say good day instead');
  await side.getByRole('button', { name: 'Add to the next message' }).click();
  await page.getByText('1 comment on lines will be sent along').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('again');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.locator('.prompt', { hasText: 'notes.md:1: say good day instead' }).waitFor();
  await page.locator('.ending').nth(1).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Open beside' }).first().click();
  assert.is(Number(await bar.getAttribute('aria-valuenow')), before + 5);
  await page.getByRole('button', { name: 'Close the pane' }).click();
  await bar.waitFor({ state: 'detached' });
});

scenario('the last message comes back with the arrow key, and Esc twice stops a turn', async () => {
  await ask(page, 'hang');
  const field = page.getByRole('textbox', { name: 'Message' });
  await page.locator('.prompt', { hasText: 'hang' }).waitFor();
  await field.press('ArrowUp');
  assert.is(await field.inputValue(), 'hang');
  await field.fill('');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await field.press('Escape');
  await page.getByText('Press Esc once more').waitFor();
  await field.press('Escape');
  await page.getByText('cancelled').first().waitFor();
});

scenario('a picture is pasted, shown, and sent along', async () => {
  await page.goto(`${new URL(page.url()).origin}/#/new`);
  await page.getByLabel('Runtime').selectOption('demo');
  await page.getByRole('textbox', { name: 'Message' }).fill('images');
  await page.evaluate(() => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
      (char) => char.charCodeAt(0),
    );
    data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    document
      .querySelector('textarea')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.getByAltText('Attachment 1').waitFor();
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/page/turns');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const body = (await sent).postDataJSON() as { images?: { media_type: string }[] };
  assert.equal(
    body.images?.map(({ media_type }) => media_type),
    ['image/png'],
  );
  await over();
});

scenario('a runtime is tested only after a warning', async () => {
  await page.goto(`${new URL(page.url()).origin}/#/runtimes`);
  const row = page.locator('.runtime', { hasText: 'demo' }).first();
  await row.getByRole('button', { name: 'Test' }).click();
  await row.getByText('may cost money').waitFor();
  await row.getByRole('button', { name: 'Send it' }).click();
  await row.locator('.status-completed').waitFor();
});

scenario('what streams in moves nothing that was there, and nothing moves for who wants no motion', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await ask(page, 'slow 10 then shell ls then slow 10');
  await page.locator('.prose').first().waitFor();
  const shifted = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if ('value' in entry && typeof entry.value === 'number') sum += entry.value;
        }).observe({ type: 'layout-shift' });
        const seen = new MutationObserver(() => {
          if (document.querySelector('.ending') === null) return;
          seen.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(sum), 0));
        });
        seen.observe(document.body, { childList: true, subtree: true });
      }),
  );
  assert.is(await page.evaluate(() => document.getAnimations().length), 0);
  const sum = await shifted;
  console.log(`layout shift while streaming: ${sum.toFixed(4)}`);
  assert.ok(sum < 0.01, `layout shift ${sum}`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
});

scenario('on a narrow screen the list of sessions is a drawer', async () => {
  await page.setViewportSize({ width: 760, height: 800 });
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.locator('.rail').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.rail').waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 800 });
});

scenario('the policy was kept all along', async () => {
  assert.equal(on.faults, []);
});

test.run();
