// limit: 120s
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, browserProgram, look, SKIPPED } from './browser.js';

const test = suite('the pictures of the documents');
const root = process.env['TURNOUT_ROOT'] ?? process.cwd();

/** With TURNOUT_SHOTS=docs/images they are made again; else only that the scene can still be set. */
const folder = process.env['TURNOUT_SHOTS'];

test('the scene of the documents can be set', async () => {
  const program = browserProgram();
  if (program === null) return console.log(SKIPPED);
  const on = await look(program);
  try {
    const { page } = await on.visit();
    const shot = async (name: string) => {
      if (folder !== undefined) await page.screenshot({ path: join(root, folder, `${name}.png`) });
    };
    await ask(page, 'say The tests of the parser pass; two were out of date.');
    await page.locator('.ending').waitFor();
    await ask(page, 'shell git status then say Nothing to commit.');
    await page.locator('.ending').waitFor();
    await ask(
      page,
      'think then plan then write notes.md # Release then say ## What I found\n\nThe script needs **one** change before `make deploy`. Shall I go on? then ask',
      'edit',
    );
    await page.locator('.ending, .approval').first().waitFor();
    await ask(
      page,
      'plan then shell ls then say ## Ready\n\nThe release is built. I need your word to deploy it:\n\n```sh\nmake deploy ENV=production # from main\n``` then ask',
    );
    await page.getByRole('region', { name: /asks for permission/ }).waitFor();
    await page.locator('.hl-comment').first().waitFor();
    const session = page.url();
    await page.emulateMedia({ colorScheme: 'light' });
    await shot('page-chat-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    await shot('page-home-dark');
    await page.setViewportSize({ width: 390, height: 760 });
    await page.goto(session);
    await page.getByRole('region', { name: /asks for permission/ }).waitFor();
    await shot('page-phone');
    assert.equal(on.faults, []);
  } finally {
    await on.close();
  }
});

test.run();
