/** One line for a native tool call: what it is and what it works on. */

import type { ToolActivityStart } from '../contract/event.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { str } from '../text/json.js';
import { oneLine } from '../text/printable.js';

/** Paths inside the working directory are shown from there. */
function short(path: string, cwd: string): string {
  const inside = path.startsWith(`${cwd}/`) || path.startsWith(`${cwd}\\`);
  return inside ? path.slice(cwd.length + 1) : path;
}

function subject(kind: ToolActivityStart['kind'], input: JsonObject, cwd: string): string {
  const file = str(input, 'file_path');
  switch (kind) {
    case 'shell':
      return str(input, 'command') ?? '';
    case 'edit':
    case 'write':
    case 'read':
      return file === undefined ? '' : short(file, cwd);
    case 'search':
      return str(input, 'pattern') ?? '';
    case 'web':
      return str(input, 'url') ?? str(input, 'query') ?? '';
    case 'mcp':
      return [str(input, 'server'), str(input, 'tool')].filter(Boolean).join(' ');
    case 'task':
      return str(input, 'description') ?? '';
    case 'patch': {
      const { files } = input;
      const paths = Array.isArray(files) ? files.map((one) => str(one, 'file_path') ?? '') : [];
      return paths.map((path) => short(path, cwd)).join(' ');
    }
    case 'todo':
    case 'other':
      return '';
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** E.g. `shell git status`, `edit src/a.ts`. */
export function toolLabel(event: Pick<ToolActivityStart, 'kind' | 'name' | 'input'>, cwd: string): string {
  const what = event.kind === 'other' ? event.name : event.kind;
  return oneLine(`${what} ${subject(event.kind, event.input ?? {}, cwd)}`);
}
