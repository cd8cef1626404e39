/** What a row of the table of turn options says. */

import type { InFile } from './in-file.js';
import type { Kind } from './kinds.js';
import type { TurnValues } from './values.js';

export type OptionName = keyof TurnValues;
/** What was given; nothing has its default yet. */
export type Given = Partial<TurnValues>;
/** Where options come in: flags, options of the library and the client, keys of JSON. */
export type Entrance = 'flag' | 'option' | 'json';

export interface Row<Value> {
  kind: Kind<Value>;
  /** Where it can be given; everywhere when absent. */
  entrances?: readonly Entrance[];
  /** Its flag, where that is not its name. */
  flag?: string;
  char?: string;
  /** What the flag's value is called in help; a switch has none. */
  value?: string;
  /** The flag may be given more than once. */
  many?: true;
  /** The flag's value may look like a flag. */
  anyText?: true;
  /** The flag names a file that holds the value. */
  file?: InFile<Value>;
  /** Largest text or JSON, in bytes. */
  limit?: number;
  default?: Value;
  /** A configuration file may give what people's commands take for it, under its key in JSON. */
  setting?: true;
  /** For help: a line without a full stop. */
  summary: string;
  /** Offered to other agents as an argument of MCP tools, with this description. */
  mcp?: string;
}
