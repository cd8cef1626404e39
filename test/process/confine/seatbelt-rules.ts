/** Reads a profile for `sandbox-exec` and says what it decides about a path: the last rule that matches. */

type Node = string | { quoted: string } | Node[];

function parse(text: string): Node[] {
  const tokens = text.match(/\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+/g) ?? [];
  const open: Node[][] = [[]];
  for (const token of tokens) {
    if (token === '(') open.push([]);
    else if (token === ')') {
      const done = open.pop();
      if (done === undefined || open.length === 0) throw new Error('a parenthesis too many');
      open.at(-1)?.push(done);
    } else open.at(-1)?.push(token.startsWith('"') ? { quoted: token.slice(1, -1).replaceAll(/\\(.)/g, '$1') } : token);
  }
  if (open.length !== 1) throw new Error('a parenthesis is not closed');
  return open[0] ?? [];
}

function matches(filter: Node, path: string): boolean {
  if (!Array.isArray(filter)) return false;
  const [kind, value] = filter;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  if (kind === 'literal') return path === value.quoted;
  return kind === 'subpath' && (path === value.quoted || path.startsWith(`${value.quoted}/`));
}

/** @param operation `file-write-data`, `file-read-data`, `file-write-unlink` … */
export function decides(profile: string, operation: string, path: string): boolean {
  let allowed = false;
  for (const rule of parse(profile)) {
    if (!Array.isArray(rule)) throw new Error(`not a rule: ${JSON.stringify(rule)}`);
    const [verdict, ...rest] = rule;
    if (verdict === 'version') continue;
    if (verdict !== 'allow' && verdict !== 'deny') throw new Error(`unknown verdict ${JSON.stringify(verdict)}`);
    const operations = rest.filter((one): one is string => typeof one === 'string');
    const covers = operations.some(
      (one) => one === 'default' || one === operation || (one.endsWith('*') && operation.startsWith(one.slice(0, -1))),
    );
    const filters = rest.filter((one) => Array.isArray(one));
    if (covers && (filters.length === 0 || filters.some((one) => matches(one, path)))) allowed = verdict === 'allow';
  }
  return allowed;
}
