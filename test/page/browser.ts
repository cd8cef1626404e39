/** A real browser on a real server: `turnout page`, and whoever looks at it. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Ended, type Place, place, type Running, run } from '../contract/cli.js';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser's program; TURNOUT_BROWSER names another one. Null: there is none. */
export function browserProgram(): string | null {
  const named = process.env['TURNOUT_BROWSER'];
  if (named) return named;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // The next one.
      }
    }
  }
  return null;
}

export const SKIPPED =
  'SKIPPED: THE PAGE WAS NOT LOOKED AT: THERE IS NO CHROMIUM HERE (apt-get install chromium-headless-shell)';

/** Adds scenarios to a suite. Without a browser each says that it was not looked at. */
export const scenarios =
  (test: (name: string, what: () => Promise<void>) => void) =>
  (name: string, what: () => Promise<void>): void =>
    test(name, () => (browserProgram() === null ? Promise.resolve(console.log(SKIPPED)) : what()));

export interface Look {
  browser: Browser;
  server: Running;
  place: Place;
  /** What must stay empty: violations of the policy, errors, requests that leave the server. */
  faults: string[];
  /** Runs another command beside the server. */
  turnout(args: readonly string[]): Promise<Ended>;
  /** A code that was not used. */
  invite(): Promise<string>;
  /** A page in a context of its own that was let in. */
  visit(options?: Parameters<Browser['newContext']>[0]): Promise<{ page: Page; context: BrowserContext }>;
  close(): Promise<void>;
}

/** @param faults what the page complains about is added here */
function listen(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) faults.push(`leaves the server: ${url}`);
  });
}

export async function look(program: string): Promise<Look> {
  const where = place();
  const started = run(['page', '--no-open', '--port', '0'], { place: where });
  const first = await new Promise<string>((resolve, reject) => {
    started.child.stdout?.on('data', (text: string) => {
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    void started.ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const origin = new URL(first).origin;
  const faults: string[] = [];
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  let unused: string | null = first;
  const invite = async () => {
    const next = unused;
    unused = null;
    if (next !== null) return next;
    const again = await run(['page', '--no-open', '--port', new URL(first).port], { place: where, stdin: 'closed' })
      .ended;
    return again.lines[0] ?? '';
  };
  return {
    browser,
    server: started,
    place: where,
    faults,
    turnout: (args) => run(args, { place: where, stdin: 'closed' }).ended,
    invite,
    async visit(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      listen(page, origin, faults);
      await page.goto(await invite());
      await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
      return { page, context };
    },
    async close() {
      await browser.close();
      started.child.kill('SIGTERM');
      started.watch();
      await started.ended;
    },
  };
}

/** Begins a session with the demo. */
export async function ask(page: Page, prompt: string, access = 'scoped'): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/new`);
  await page.getByLabel('Runtime').selectOption('demo');
  await page.getByLabel('Access').selectOption(access);
  await page.getByRole('textbox', { name: 'Message' }).fill(prompt);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.waitForURL(/#\/s\//);
}

/** The newest run of the session that is shown, as the server knows it. */
export const runShown = (page: Page) =>
  page.evaluate(async () => {
    const headers = { 'x-turnout-page': sessionStorage.getItem('turnout-nonce') ?? '' };
    const session = location.hash.split('/')[2] ?? '';
    const answer = (await (await fetch(`/page/sessions/${session}`, { headers })).json()) as {
      runs: { run_id: string; last_seq: number }[];
    };
    return answer.runs.at(-1) ?? { run_id: '', last_seq: 0 };
  });
