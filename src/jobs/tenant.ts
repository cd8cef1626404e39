/** Whose job it is. */

import { OWNER, type Principal } from '../contract/principal.js';

/** Jobs keep a name: of a key's rights only those count that every key has. */
export const tenantOf = (name: string): Principal => (name === OWNER.name ? OWNER : { name, kind: 'key' });
