/**
 * JSON as one line for every reader: U+2028 and U+2029, which some take for line ends (Node's readline among them), are
 * escaped. In JSON they can stand in strings alone, so the value is the same.
 */
export function jsonLine(json: string): string {
  if (!json.includes('\u2028') && !json.includes('\u2029')) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
