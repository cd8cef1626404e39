// limit: 180s
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, browserProgram, type Look, look, scenarios } from './browser.js';

const test = suite('questions of an agent on the page');
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

/** The card of an open question, once it takes answers. */
async function card(where: Page) {
  await where.locator('form.approval[data-settled="true"]').waitFor();
  return where.getByRole('form', { name: 'demo asks a question' });
}
const answered = async (where: Page, text: string) => {
  await where.locator('.prose', { hasText: text }).first().waitFor();
  await where.locator('.ending').waitFor();
  assert.is(await where.locator('form.approval').count(), 0);
};

scenario('a choice is made by keyboard alone', async () => {
  await ask(page, 'question required Which colour? red | green | blue');
  const asked = await card(page);
  assert.is(await page.title(), '(1) Turnout');
  await asked.getByRole('radio', { name: 'red' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Decline');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await answered(page, 'green');
});

scenario('words are sent by Enter, and a secret is never shown', async () => {
  await ask(page, 'question Your name? & secret Your key?');
  const asked = await card(page);
  const key = asked.getByLabel('Your key?');
  assert.is(await key.getAttribute('type'), 'password');
  await key.fill('s3cret-on-the-page');
  const name = asked.getByLabel('Your name?');
  await name.fill('Ada');
  await name.press('Shift+Enter');
  await name.pressSequentially('Lovelace');
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/page/runs/'));
  await name.press('Enter');
  const { answers } = (await sent).postDataJSON() as { answers: unknown };
  assert.equal(answers, { q0: 'Ada\nLovelace', q1: 's3cret-on-the-page' });
  await answered(page, 'Lovelace');
});

scenario('several choices and an answer of one’s own go together', async () => {
  await ask(page, 'question several other Which colours? red | green | blue');
  const asked = await card(page);
  await asked.getByRole('button', { name: 'Answer' }).click();
  await asked.getByText('Nothing is answered yet').waitFor();
  await asked.getByRole('checkbox', { name: 'red' }).check();
  await asked.getByLabel('Your own answer').last().fill('teal');
  await asked.getByRole('button', { name: 'Answer' }).click();
  await answered(page, 'teal');
  assert.match((await page.locator('.prose').first().textContent()) ?? '', /red/);
});

scenario('a question is declined, and one that is answered elsewhere goes away', async () => {
  await ask(page, 'question Go on? yes | no');
  await (await card(page)).getByRole('button', { name: 'Decline' }).click();
  await page.locator('.ending').waitFor();
  await page.locator('.card', { hasText: 'Go on?' }).getByText('declined').waitFor();

  await ask(page, 'question Once more? yes | no');
  await card(page);
  const { page: other, context } = await on.visit();
  await (await card(other)).getByText('no', { exact: true }).click();
  await (await card(other)).getByRole('button', { name: 'Answer' }).click();
  await answered(page, 'no');
  await context.close();
});

scenario('two taps on a phone answer from the list of runs', async () => {
  const { page: phone, context } = await on.visit({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await ask(phone, 'question Which colour? red | green');
  await phone.goto(new URL(phone.url()).origin);
  const asked = await card(phone);
  for (const part of [asked.getByText('green'), asked.getByRole('button', { name: 'Answer' })]) {
    const box = await part.locator('xpath=ancestor-or-self::*[self::label or self::button]').boundingBox();
    assert.ok(box && box.height >= 44 && box.x + box.width <= 360, JSON.stringify(box));
  }
  await asked.getByText('green').tap();
  await asked.getByRole('button', { name: 'Answer' }).tap();
  await asked.waitFor({ state: 'detached' });
  await phone.locator('.run-row', { hasText: 'Which colour' }).getByText('Done').first().waitFor();
  await context.close();
});

scenario('what an agent asks is text, and its deadline is shown', async () => {
  await ask(page, 'question within 600000 <img src=x onerror=alert(1)> **b** ok? <b>yes</b> | no');
  const asked = await card(page);
  await asked.getByText('<img src=x onerror=alert(1)> **b** ok?').waitFor();
  await asked.getByText('<b>yes</b>').waitFor();
  await asked.getByText(/\d+m left/).waitFor();
  assert.is(await asked.locator('img, b').count(), 0);
  await asked.getByRole('button', { name: 'Decline' }).click();
  await page.locator('.ending').waitFor();
  assert.equal(on.faults, []);
});

test.run();
