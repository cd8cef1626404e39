/** The logins that a client is offered: a terminal that it opens for `turnout acp … --setup`. */

import type { InitializeRequest, InitializeResponse } from '@agentclientprotocol/sdk/unstable';
import type { Runner } from '../../runner/runner.js';

/** Both are in use: the field of the protocol, and the mark that was there before it (Zed, and the check of the registry). */
function opensTerminals({ clientCapabilities }: InitializeRequest): boolean {
  return clientCapabilities?.auth?.terminal === true || clientCapabilities?._meta?.['terminal-auth'] === true;
}

/** @param asked the value of `--runtime` @param runner what it stands for here, if that is known */
export function loginMethods(
  asked: string,
  runner: Runner | null,
  client: InitializeRequest,
): NonNullable<InitializeResponse['authMethods']> {
  if (!opensTerminals(client)) return [];
  const method = { id: 'login', type: 'terminal', args: ['--setup'] } as const;
  if (runner !== null && runner.loginHint !== null) {
    return [{ ...method, name: `Log in to ${runner.title}`, description: `In a terminal: ${runner.loginHint}` }];
  }
  // Which of them it is, and whether it has to be installed, is said there.
  if (asked !== 'auto') return [];
  return [
    {
      ...method,
      name: 'Log in to the first agent that is installed',
      description: 'In a terminal: turnout acp --setup',
    },
  ];
}
