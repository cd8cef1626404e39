/** What a program says between two turns: its requests are answered; anything else that it says is its own work. */

import type { Action } from '../../../src/runner/action.js';
import { parseObject, str } from '../../../src/text/json.js';
import type { Control } from './control.js';
import type { Texts } from './texts.js';

export function idle(text: string, requests: Control, said: Texts): Action[] {
  const one = parseObject(text);
  if (one === undefined) return [];
  switch (str(one, 'type')) {
    case 'control_request':
      return requests.request(one);
    case 'assistant':
      return said.whole(one);
    default:
      return [];
  }
}
