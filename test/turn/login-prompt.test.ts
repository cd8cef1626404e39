/** Which lines on stderr are a program that waits for a login. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { asksForLogin } from '../../src/turn/login-prompt.js';

test('a program that waits for a person is told', () => {
  for (const line of [
    'no terminal (ENXIO). Press Enter to log in…',
    'Waiting for authentication... (Press ESC to cancel)',
    'Please visit https://login.example/device?code=AB to sign in',
    'Opening your browser to log in',
    'Paste the authorization code here:',
  ]) {
    assert.ok(asksForLogin(line), line);
  }
});

test('what only speaks of logins, keys and browsers is not', () => {
  for (const line of [
    'Logged in as a@b.example',
    'Loaded cached credentials.',
    'Warning: not logged in to the registry',
    'Tip: run `x login` to sign in with another account',
    'opening browser tool',
    `open ${'x'.repeat(3000)} to log in`,
  ]) {
    assert.not.ok(asksForLogin(line), line);
  }
});

test.run();
