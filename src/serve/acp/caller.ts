/** An editor that we were started by acts for the person at it. */

import { ownerAt } from '../../runs/sight.js';

export const ACP = ownerAt('acp');
