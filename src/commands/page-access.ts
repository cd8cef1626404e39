/** `--page-access` of the servers. */

import * as Flags from '@oclif/core/flags';
import { ACCESS_MODES, type AccessMode } from '../contract/vocabulary.js';

export const PAGE_ACCESS = Flags.string({
  summary: 'the highest mode that the page at / may ask for',
  options: [...ACCESS_MODES],
  default: 'edit',
});

/** Other words were refused when the flags were read. */
export const pageAccess = (given: string): AccessMode => ACCESS_MODES.find((mode) => mode === given) ?? 'scoped';
