import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK, PATTERNS, redact, secretValues } from '../../src/text/redact.js';

const test = suite('redact');

/** Random-looking filler, so that no sample in here is anybody's key. */
const r = (length: number) => 'Ab3dE9fG1hJ2kL4mN5pQ6rS7tU8vW0xY'.repeat(4).slice(0, length);
const key = r(32);
const body = `${r(64)}\n${r(64)}\n${r(20)}`;

/** For each pattern: text with a secret → what is left, and text that must stay. */
const SAMPLES: Record<string, { hit: readonly (readonly [text: string, left: string])[]; miss: readonly string[] }> = {
  pem: {
    hit: [
      [`a\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\nb`, `a\n${MASK}\nb`],
      [
        `"-----BEGIN PRIVATE KEY-----\\n${body.replaceAll('\n', '\\n')}\\n-----END PRIVATE KEY-----\\n"`,
        `"${MASK}\\n"`,
      ],
      [
        `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${body}\n-----END EC PRIVATE KEY-----`,
        MASK,
      ],
      [`-----BEGIN OPENSSH PRIVATE KEY-----\n${r(64)}`, MASK],
    ],
    miss: [
      '-----BEGIN PRIVATE KEY----- is missing in this file',
      `-----BEGIN CERTIFICATE-----\n${r(64)}\n-----END CERTIFICATE-----`,
    ],
  },
  anthropic: {
    hit: [
      [`key sk-ant-api03-${key}-x`, `key ${MASK}`],
      [`"err\\nsk-ant-oat01-${key}"`, `"err\\n${MASK}"`],
    ],
    miss: ['a key begins with sk-ant-', 'sk-ant-api03'],
  },
  google: {
    hit: [
      [`key AIza${r(35)} bad`, `key ${MASK} bad`],
      [`ya29.${key}`, MASK],
    ],
    miss: ['AIza is a prefix', 'payá29.txt'],
  },
  github: {
    hit: [
      [`ghp_${r(36)}`, MASK],
      [`x gho_${r(36)}.`, `x ${MASK}.`],
      [`github_pat_${r(22)}_${r(59)}`, MASK],
    ],
    miss: ['ghp_short', 'the ghs_ prefix', 'github_pat_'],
  },
  aws: { hit: [[`id AKIA${'Q2W3'.repeat(4)} x`, `id ${MASK} x`]], miss: ['AKIAQ2W3', `XAKIA${'Q2W3'.repeat(4)}`] },
  jwt: {
    hit: [
      [`t=eyJ${r(20)}.eyJ${r(40)}.${r(43)}&`, `t=${MASK}&`],
      [`"\\neyJ${r(20)}.eyJ${r(40)}"`, `"\\n${MASK}"`],
    ],
    miss: ['eyJ.eyJ', `eyJ${r(30)}`],
  },
  prefixed: {
    hit: [
      [`sk-proj-${key}`, MASK],
      [`'sk-${key}'`, `'${MASK}'`],
      [`"a\\nsk-or-v1-${key}"`, `"a\\n${MASK}"`],
      [`xai-${key}`, MASK],
      [`gsk_${key}`, MASK],
      [`hf_${key}`, MASK],
      [`r8_${key}`, MASK],
      [`pplx-${key}`, MASK],
      [`nvapi-${key}`, MASK],
      [`glpat-${r(20)}`, MASK],
      [`npm_${r(36)}`, MASK],
      [`xoxb-1234567890-${r(20)}`, MASK],
      [`sk_live_${r(24)}`, MASK],
      [`fk-${key}`, MASK],
      [`csk-${key}`, MASK],
      [`sgamp_user_${key}`, MASK],
    ],
    miss: [
      'task-2024-11-30-rename-everything',
      'sk-learn-compatible-estimators',
      'disk-0123456789abcdef0',
      'npm_config_user_agent_name',
      'sk-short1',
    ],
  },
  scheme: {
    hit: [
      [`Authorization-less Bearer ${key}`, `Authorization-less Bearer ${MASK}`],
      [`basic ${r(24)}==`, `basic ${MASK}`],
    ],
    miss: ['the bearer authentication-scheme is needed', 'Basic internationalization', 'Bearer token missing'],
  },
  header: {
    hit: [
      [`authorization: Bearer ${key}`, `authorization: Bearer ${MASK}`],
      [`{"x-api-key":"${r(12)}"}`, `{"x-api-key":"${MASK}"}`],
      [`{\\"Authorization\\": \\"Token ${r(20)}\\"}`, `{\\"Authorization\\": \\"Token ${MASK}\\"}`],
      [`-H 'X-Goog-Api-Key: ${r(20)}'`, `-H 'X-Goog-Api-Key: ${MASK}'`],
    ],
    miss: ['authorization: required', 'x-api-key header missing', 'Authorization: Bearer $TOKEN_OF_2024'],
  },
  cookie: {
    hit: [
      ['Cookie: session=abc123; theme=dark\nnext', `Cookie: ${MASK}\nnext`],
      ['{"set-cookie":"sid=abc123456"}', `{"set-cookie":"${MASK}"}`],
    ],
    miss: ['cookie: none was sent', 'no cookies today'],
  },
  'password in a URL': {
    hit: [
      ['http://user:pass@proxy:8080/x', `http://user:${MASK}@proxy:8080/x`],
      ['postgres://u:p%40ss@db/x', `postgres://u:${MASK}@db/x`],
    ],
    miss: ['http://host:8080/a@b', 'see http://host:80 or me@host', 'file:///a:b@c'],
  },
  'user of a URL': {
    hit: [[`https://${r(20)}@host/x`, `https://${MASK}@host/x`]],
    miss: ['https://git@host/x', 'https://host.example.com/a@b'],
  },
  query: {
    hit: [
      ['GET /v1?key=abcdef1&alt=sse', `GET /v1?key=${MASK}&alt=sse`],
      ['?a=1&access_token=abcdefgh', `?a=1&access_token=${MASK}`],
    ],
    miss: ['/v1?alt=sse&model=gemini-2.5-pro', 'key=short', '?monkey=bananas'],
  },
  assignment: {
    hit: [
      [`ANTHROPIC_API_KEY=${r(20)} cmd`, `ANTHROPIC_API_KEY=${MASK} cmd`],
      [`{"accessToken":"${r(20)}"}`, `{"accessToken":"${MASK}"}`],
      [`aws_secret_access_key = ${r(20)}/${r(20)}`, `aws_secret_access_key = ${MASK}`],
      [`{\\"client_secret\\":\\"${r(20)}\\"}`, `{\\"client_secret\\":\\"${MASK}\\"}`],
      ['password: hunter2hunter2', `password: ${MASK}`],
    ],
    miss: [
      'OPENAI_API_KEY: environment variable is not set',
      'export TOKEN=$OTHER_TOKEN_1',
      'SSH_KEY=/home/me/.ssh/id_ed25519',
      'max_tokens=128000000',
      'the secret: nobody knows',
      'API_KEY=<your-key-1>',
    ],
  },
  flag: {
    hit: [
      [`tool --api-key ${r(16)} run`, `tool --api-key ${MASK} run`],
      [`--token=${r(16)}`, `--token=${MASK}`],
    ],
    miss: ['--key-file /a/b1', 'use --token with something', '--password /run/secrets/pw1'],
  },
};

test('every pattern has samples', () => {
  assert.equal(
    Object.keys(SAMPLES),
    PATTERNS.map((pattern) => pattern.name),
  );
});

for (const { name, find, when } of PATTERNS) {
  const samples = SAMPLES[name] ?? { hit: [], miss: [] };
  test(`${name}: the secret is masked and what is around it stays`, () => {
    for (const [text, left] of samples.hit) {
      assert.is(redact(text), left);
      // It is this pattern that knows it, so no sample hides behind another.
      const found = [...text.matchAll(find)].some(
        (match) => when?.(match[0].slice(match.groups?.['lead']?.length ?? 0)) ?? true,
      );
      assert.ok(found, `${name} does not know ${text}`);
    }
  });
  test(`${name}: text that only looks like it stays`, () => {
    for (const text of samples.miss) assert.is(redact(text), text);
  });
}

test('prose, hashes, ids and code stay as they are', () => {
  for (const text of [
    'commit bc5bfec3f0a94b1e2d7c8a9b0c1d2e3f4a5b6c7d fixes the key lookup (see token.ts:12)',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'session 11111111-1111-4111-8111-111111111111 not found',
    'const token = readToken(file); // returns the next token: 42',
    'Invalid API key · Please run /login',
    '{"usage":{"input_tokens":123456789,"cache_read_input_tokens":0},"key":"value"}',
    'https://example.com/a/b?page=2#section-10',
    'me@example.com, C:\\Users\\me\\key.txt, 2024-11-30T10:36:00Z',
  ]) {
    assert.is(redact(text), text);
  }
});

test('given values are masked wherever they stand, longest first, also in JSON and URLs', () => {
  assert.is(redact('a hunter2-hunter2 b', ['hunter2-hunter2']), `a ${MASK} b`);
  assert.is(redact('abcdefgh-more abcdefgh', ['abcdefgh', 'abcdefgh-more']), `${MASK} ${MASK}`);
  assert.is(redact(JSON.stringify({ a: 'pa"ss\\word' }), ['pa"ss\\word']), `{"a":"${MASK}"}`);
  assert.is(redact(`/x/${encodeURIComponent('p@ss/wörd')}`, ['p@ss/wörd']), `/x/${MASK}`);
});

test('values too short to tell from text are left alone', () => {
  assert.is(redact('a short word', ['short', '']), 'a short word');
});

test('masking again changes nothing', () => {
  const texts = Object.values(SAMPLES).flatMap((samples) => samples.hit.map(([text]) => text));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...texts), fc.string()), { maxLength: 6 }), (parts) => {
      const once = redact(parts.join(' '));
      assert.is(redact(once), once);
    }),
  );
});

test('no text makes masking slow: the work grows with the length', () => {
  // A pattern with quadratic backtracking would need hours for one of these and run into the test runner's limit.
  const million = 1 << 20;
  for (const unit of [
    'a',
    'sk-',
    'eyJ',
    'eyJaaaaaaaa.',
    'a.b',
    'http://',
    'a:',
    'key=',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\\n',
    'bearer ',
    'Basic  ',
    '?key',
    '--a-',
    'AIza',
    'a@',
    '\\n',
    '://',
    'cookie:',
    'https://a',
    'ya29.',
    'token:"',
    'A1: ',
    ' AAAAAAAAAAAAAAAA',
  ]) {
    const text = unit.repeat(million / unit.length);
    redact(text);
    redact(`-----BEGIN PRIVATE KEY-----${text}`);
  }
});

test('secretValues takes values of variables that are named like keys', () => {
  const env = {
    ANTHROPIC_API_KEY: 'value-of-1',
    GH_TOKEN: 'value-of-2',
    npm_config__auth_token: 'value-of-3',
    DB_PASSWORD: 'value-of-4',
    AWS_SECRET_ACCESS_KEY: '/value/of+5=',
    SHORT_KEY: 'short',
    EMPTY_TOKEN: '',
    MISSING_TOKEN: undefined,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1234567890',
    KEYBOARD_LAYOUT: 'us-international',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/me/credentials.json',
    SSL_KEY_FILE: '/etc/ssl/key.pem',
    HOME: '/home/somebody',
  };
  assert.equal(secretValues(env), ['value-of-1', 'value-of-2', 'value-of-3', 'value-of-4', '/value/of+5=']);
});

test.run();
