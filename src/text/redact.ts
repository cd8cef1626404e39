/** Masking of secrets in what people and files get to see: errors, recordings, logs. Events are never masked. */

const MASK = '[redacted]';

interface Pattern {
  name: string;
  find: RegExp;
  /** What stands in its place; `$1` keeps what leads to the secret. */
  put: string;
}

/** Each is bounded and unambiguous, so that masking stays linear in the length of the text. */
export const PATTERNS: readonly Pattern[] = [
  {
    name: 'pem',
    find: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,-]{0,20000}?-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
    put: MASK,
  },
  { name: 'sk', find: /\bsk-[A-Za-z0-9_-]{16,}/g, put: MASK },
];

/**
 * @param secrets exact values to mask too; shorter than 8 characters would hit normal text and are left alone
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let out = text;
  for (const secret of secrets) if (secret.length >= 8) out = out.replaceAll(secret, MASK);
  for (const pattern of PATTERNS) out = out.replace(pattern.find, pattern.put);
  return out;
}

const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)/i;

/** Values of variables whose names look like keys, longest first. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= 8 && SECRET_NAME.test(name)) found.add(value);
  }
  return [...found].sort((a, b) => b.length - a.length);
}
