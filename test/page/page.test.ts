// limit: 180s
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, browserProgram, type Look, look, runShown, scenarios } from './browser.js';

const test = suite('the page in a browser');
const program = browserProgram();
const shots = process.env['TURNOUT_SHOTS'];
const axe = createRequire(import.meta.url).resolve('axe-core');
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

const said = (words: string) => page.locator('.turn').getByText(words, { exact: false }).first().waitFor();
/** Answers count only after a moment: what is pressed at once was meant for what stood there before. */
const settledCard = () => page.locator('.approval[data-settled=true]').first().waitFor();
const over = () => page.locator('.ending').last().waitFor();

scenario('whoever has no invitation gets the door, and a code opens it once', async () => {
  const url = await on.invite();
  const { page: guest, context } = await on.visit();
  await context.clearCookies();
  await guest.evaluate(() => sessionStorage.clear());
  await guest.goto(new URL(url).origin);
  await guest.getByText('This page needs an invitation').waitFor();
  await guest.goto('about:blank');
  await guest.goto(url);
  await guest.getByRole('heading', { name: 'Runs' }).waitFor();
  assert.not.match(guest.url(), /t=/);
  const other = await on.browser.newContext();
  const late = await other.newPage();
  await late.goto(url);
  await late.getByText('This page needs an invitation').waitFor();
  await other.close();
  await context.close();
});

scenario('a turn of the demo is shown as it is said, with its tools', async () => {
  await ask(page, 'shell ls then say all done here');
  await said('all done here');
  await over();
  await page.locator('.tool-line').first().waitFor();
});

scenario('a permission question is answered by keyboard, and Deny comes first', async () => {
  await ask(page, 'ask');
  const card = page.getByRole('region', { name: /asks for permission/ });
  await card.getByText('make deploy', { exact: true }).waitFor();
  assert.is(await card.getByRole('button').first().textContent(), 'Deny');
  await card.focus();
  await settledCard();
  await page.keyboard.press('a');
  await card.waitFor({ state: 'detached' });
  await over();
});

scenario('a reload in the middle of a turn loses and doubles nothing', async () => {
  await ask(page, 'slow 20');
  await page.locator('.prose').first().waitFor();
  await page.reload();
  await over();
  const shown = (await page.locator('.prose').allTextContents()).join('');
  const { run_id: run } = await runShown(page);
  const tail = await on.turnout(['runs', 'tail', run, '--ndjson']);
  const said = tail.events.map(({ type, text }) => (type === 'assistant' ? String(text) : '')).join('');
  assert.ok(said.length > 0, tail.stderr);
  assert.is(shown.replace(/\s+/g, ''), said.replace(/\s+/g, ''));
});

scenario('a lost connection is said, and what was missed comes after it', async () => {
  await ask(page, 'slow 15');
  await page.locator('.prose').first().waitFor();
  await page.context().setOffline(true);
  await page.getByText("The server can't be reached").waitFor();
  await page.context().setOffline(false);
  await page.getByText("The server can't be reached").waitFor({ state: 'detached' });
  await over();
});

scenario('a turn is stopped', async () => {
  await ask(page, 'hang');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('cancelled').first().waitFor();
});

scenario('what is written while a turn runs is not lost, and a draft survives a reload', async () => {
  await ask(page, 'slow 10');
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('a draft');
  await page.reload();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'a draft');
  assert.is(await field.isEnabled(), true);
  await over();
});

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(2)</script>',
  '[x](javascript:alert(3))',
  '[d](data:text/html,<script>alert(4)</script>)',
  '![i](http://evil.test/p.png)',
  '<iframe src=http://evil.test></iframe>',
  '<a href="javascript:alert(5)">a</a>',
  '`</code><script>alert(6)</script>`',
  '[ok](https://example.org "a\\" onmouseover=alert(7)")',
  '<svg onload=alert(8)>',
  '| <b>x</b> | y |',
  '\u202egnp.exe\u2066',
];

scenario('what an agent says becomes no script, no image, no other link', async () => {
  for (const text of HOSTILE) {
    await ask(page, `say ${text}`);
    await over();
    const found = await page.evaluate(() => ({
      bad: document.querySelectorAll('.turn :is(script, img, iframe, object, embed, form, style, link)').length,
      handlers: [...document.querySelectorAll('.turn *')].filter((one) =>
        [...one.attributes].some(({ name }) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll<HTMLAnchorElement>('.turn a')].map(({ protocol }) => protocol),
    }));
    assert.equal([found.bad, found.handlers], [0, 0], text);
    assert.ok(
      found.links.every((protocol) => /^(?:https?|mailto):$/.test(protocol)),
      text,
    );
  }
  await page.locator('.hidden-char').first().waitFor();
  const refused = await page.evaluate(() => {
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>x</b>');
      return false;
    } catch {
      return true;
    }
  });
  assert.is(refused, true, 'a string became markup');
  assert.ok(on.faults.some((text) => /TrustedHTML|Trusted Type/i.test(text)));
  on.faults.length = 0;
});

/** What axe-core finds that is serious or critical. */
async function obstacles(): Promise<string[]> {
  // By the browser's own debugger: the policy of the page lets no script in.
  const session = await page.context().newCDPSession(page);
  const { readFileSync } = await import('node:fs');
  await session.send('Runtime.evaluate', { expression: readFileSync(axe, 'utf8') });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => JSON.stringify(
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  const found: unknown = JSON.parse(String(result.value));
  return Array.isArray(found) ? found.map(String) : ['axe-core did not answer'];
}

const views = ['#/', '#/new', '#/usage', '#/runtimes', '#/settings'] as const;

for (const theme of ['light', 'dark'] as const) {
  scenario(`nothing serious stands in the way of people with disabilities: ${theme}`, async () => {
    await page.emulateMedia({ colorScheme: theme });
    await ask(page, 'think then plan then shell ls then ask');
    await page.getByRole('region', { name: /asks for permission/ }).waitFor();
    const session = new URL(page.url()).hash;
    assert.equal(await obstacles(), [], 'chat');
    if (shots) await page.screenshot({ path: `${shots}/chat-${theme}.png` });
    for (const view of views) {
      await page.goto(`${new URL(page.url()).origin}/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.late').waitFor({ state: 'detached' });
      assert.equal(await obstacles(), [], view);
      if (shots) await page.screenshot({ path: `${shots}/${view === '#/' ? 'home' : view.slice(2)}-${theme}.png` });
    }
    await page.goto(`${new URL(page.url()).origin}/${session}`);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    await settledCard();
    await page.getByRole('button', { name: 'Deny' }).click();
    await over();
  });
}

scenario('at the width of a phone nothing is wider than the screen, and a question takes two taps', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await ask(page, 'ask');
  await page.getByRole('link', { name: /Runs/ }).last().click();
  await page.getByRole('button', { name: 'Deny' }).first().waitFor();
  if (shots) await page.screenshot({ path: `${shots}/phone.png` });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  await settledCard();
  await page.getByRole('button', { name: 'Allow once' }).first().click();
  await page.getByRole('button', { name: 'Deny' }).first().waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 800 });
});

scenario('a replay shows the turn at any event', async () => {
  await ask(page, 'shell ls then say the end');
  await over();
  await page.getByRole('link', { name: 'Replay' }).click();
  const slider = page.getByRole('slider', { name: 'Event' });
  await slider.fill('1');
  await page.getByText('the end').last().waitFor();
  assert.is(await page.locator('.prose').count(), 0);
  await page.getByRole('button', { name: 'Next mark' }).click();
  await page.locator('.tool-line').first().waitFor();
  if (shots) await page.screenshot({ path: `${shots}/replay.png` });
});

scenario('the palette and the list of keys open by keyboard', async () => {
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('usage');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/usage/);
});

scenario('two pages show the same run', async () => {
  await ask(page, 'slow 10');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.locator('.ending').waitFor();
  await over();
  assert.equal(await second.locator('.prose').allTextContents(), await page.locator('.prose').allTextContents());
  await second.close();
});

scenario('nothing left the server, and nothing broke the policy', async () => {
  assert.equal(on.faults, []);
});

test.run();
