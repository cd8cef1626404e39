/**
 * Reads JSON as a statically typed language does: a number keeps its text, so that `12.0` can be told from `12`. Values
 * come as tagged pairs.
 */

export type Raw =
  | { is: 'null' }
  | { is: 'bool'; value: boolean }
  | { is: 'number'; text: string }
  | { is: 'string'; value: string }
  | { is: 'array'; items: Raw[] }
  | { is: 'object'; fields: Map<string, Raw> };

const TOKEN =
  /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))\s*/y;

/** @returns undefined when the text is not one JSON value */
export function readRaw(text: string): Raw | undefined {
  let at = 0;
  const next = (): string | undefined => {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    at = TOKEN.lastIndex;
    return match[1] ?? match[2] ?? match[3] ?? match[4];
  };
  const value = (token: string | undefined): Raw | undefined => {
    if (token === undefined) return undefined;
    if (token === '{') return object();
    if (token === '[') return array();
    if (token === 'null') return { is: 'null' };
    if (token === 'true' || token === 'false') return { is: 'bool', value: token === 'true' };
    if (token.startsWith('"')) {
      try {
        return { is: 'string', value: String(JSON.parse(token)) };
      } catch {
        return undefined;
      }
    }
    return /^[-\d]/.test(token) ? { is: 'number', text: token } : undefined;
  };
  const object = (): Raw | undefined => {
    const fields = new Map<string, Raw>();
    let token = next();
    if (token === '}') return { is: 'object', fields };
    for (;;) {
      const key = value(token);
      if (key?.is !== 'string' || next() !== ':') return undefined;
      const inner = value(next());
      if (!inner) return undefined;
      fields.set(key.value, inner);
      const after = next();
      if (after === '}') return { is: 'object', fields };
      if (after !== ',') return undefined;
      token = next();
    }
  };
  const array = (): Raw | undefined => {
    const items: Raw[] = [];
    let token = next();
    if (token === ']') return { is: 'array', items };
    for (;;) {
      const inner = value(token);
      if (!inner) return undefined;
      items.push(inner);
      const after = next();
      if (after === ']') return { is: 'array', items };
      if (after !== ',') return undefined;
      token = next();
    }
  };
  const whole = value(next());
  return at === text.length ? whole : undefined;
}
