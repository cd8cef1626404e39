/** Masking of secrets in what people and files get to see: errors, recordings, logs. Events are never masked. */

export const MASK = '[redacted]';
/** Shorter values would hit normal text. */
const LEAST = 8;

interface Pattern {
  name: string;
  /** Group `lead`, where there is one, stays; the rest of the match is masked. */
  find: RegExp;
  /** Whether what was found is really a secret; always when absent. */
  when?: (secret: string) => boolean;
}

/**
 * Keys of OpenAI, DeepSeek, OpenRouter, Moonshot (sk-), Cerebras (csk-), Factory (fk-), xAI, Groq, Hugging Face, Replicate,
 * Perplexity, NVIDIA, GitLab, npm, Slack, Stripe, Sourcegraph (sgp_, sgamp_).
 */
const PREFIXES =
  '(?:c?sk-|fk-|xai-|gsk_|hf_|r8_|pplx-|nvapi-|glpat-|npm_|xox[abeprs]-|[srp]k_(?:live|test)_|sg(?:p|amp)_)';

/**
 * None can take more than linear time: what may repeat is either bounded, or nothing that could fail comes after it,
 * or it can only begin where a run of its own characters begins. That is looked at after the literal beginning: a
 * lookbehind in front makes a pattern fifty times slower.
 */
export const PATTERNS: readonly Pattern[] = [
  {
    name: 'pem',
    find: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:\s|\\[nr])+[A-Za-z-]{1,40}: [^\r\n\\]{0,200})*(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})+(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{1,15})?(?:(?:\s|\\[nr])*-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  },
  { name: 'anthropic', find: /sk-ant-[\w-]{16,}/g },
  { name: 'google', find: /AIza[\w-]{30,}|(?<![\w.-])ya29\.[\w-]{20,}/g },
  { name: 'github', find: /gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_\w{20,}/g },
  { name: 'aws', find: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { name: 'jwt', find: /eyJ(?<=(?:^|[^\w-]|\\[nrt])eyJ)[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g },
  {
    name: 'prefixed',
    find: new RegExp(`${PREFIXES}(?<=(?:^|[^\\w-]|\\\\[nrt])${PREFIXES})[\\w-]{16,}`, 'g'),
    when: hasDigit,
  },
  { name: 'scheme', find: /(?<lead>\b(?:bearer|basic)\s{1,4})[\w.~+/=-]{16,}/gi, when: hasDigit },
  {
    name: 'header',
    find: /(?<lead>(?:authorization|x-api-key|x-goog-api-key|x-auth-token)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:(?:bearer|basic|token)\s{1,4})?)[^\s"'\\,;]{8,}/gi,
    when: looksRandom,
  },
  {
    name: 'cookie',
    find: /(?<lead>\bcookie\\?["']?\s{0,3}:\s{0,3}\\?["']?)[^"'\\\r\n]{8,}/gi,
    when: (text) => text.includes('='),
  },
  { name: 'password in a URL', find: /(?<lead>[a-z0-9+.]:\/\/[^\s/@:?#"'\\]{0,100}:)[^\s/@"'\\]{1,200}(?=@)/gi },
  { name: 'user of a URL', find: /(?<lead>https?:\/\/)[^\s/@:?#"'\\]{16,200}(?=@)/gi, when: hasDigit },
  {
    name: 'query',
    find: /(?<lead>[?&](?:key|api[_-]?key|(?:\w{1,20}[_-])?token|auth|(?:client_)?secret|password|sig(?:nature)?|x-amz-(?:signature|credential)|code)=)[^\s&#"'<>\\]{6,}/gi,
  },
  {
    name: 'assignment',
    find: /(?<lead>(?:(?:api|access|private|secret)[_-]?key|_key|secret|token|passw(?:or)?d)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'\\,;&<>]{8,}/gi,
    when: looksRandom,
  },
  {
    name: 'flag',
    find: /(?<lead>--(?:[a-z]{1,20}-)?(?:key|token|secret|password)[ =]["']?)[^\s"'\\]{8,}/gi,
    when: looksRandom,
  },
];

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** A word of prose has no digit and is not that long; a path or a variable's name is no secret. */
function looksRandom(text: string): boolean {
  if (/^(?:[$./~]|%\w)/.test(text) || text === MASK) return false;
  return hasDigit(text) || text.length >= 24;
}

/**
 * Masks what looks like a key, and the given values wherever they stand (also as in JSON or a URL).
 * @param secrets exact values; those under 8 characters are left alone
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let out = text;
  for (const secret of spellings(secrets)) if (out.includes(secret)) out = out.replaceAll(secret, MASK);
  for (const { find, when } of PATTERNS) {
    out = out.replace(find, (match: string, ...rest: unknown[]) => {
      const lead = leadOf(rest);
      return when && !when(match.slice(lead.length)) ? match : lead + MASK;
    });
  }
  return out;
}

/** The groups come last among the arguments of a replacer. */
function leadOf(rest: readonly unknown[]): string {
  const groups = rest.at(-1);
  return typeof groups === 'object' && groups !== null && 'lead' in groups ? String(groups.lead) : '';
}

/** Longest first, so that a value that contains another one is masked whole. */
function spellings(secrets: readonly string[]): string[] {
  const all = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < LEAST) continue;
    all.add(secret);
    all.add(JSON.stringify(secret).slice(1, -1));
    if (!/[\ud800-\udfff]/.test(secret)) all.add(encodeURIComponent(secret));
  }
  return [...all].sort((a, b) => b.length - a.length);
}

const SECRET_NAME =
  /(?:^|[_-])(?:api_?key|key|token|auth_?token|secret|passw(?:or)?d|passphrase|credentials?|pat)(?:$|[_-])/i;
const PLACE_NAME = /(?:path|file|dir|url|uri|host|credentials)$/i;

/** Values of variables whose names look like keys, for `redact`. A file's path is not a secret. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < LEAST || !SECRET_NAME.test(name)) continue;
    if (PLACE_NAME.test(name) && /^(?:[/~.]|[A-Za-z]:[\\/])/.test(value)) continue;
    found.add(value);
  }
  return [...found];
}
