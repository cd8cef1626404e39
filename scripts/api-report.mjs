// The public API as text: every declaration that src/index.ts and src/client/index.ts export, from the types that are
// published. A change shows in the diff of docs/api.txt, so that no name becomes public, changes or goes by accident.
//
//   node scripts/api-report.mjs           writes docs/api.txt
//   node scripts/api-report.mjs --check   fails when docs/api.txt differs, or an export has no doc comment of its own
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaSync } from 'execa';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const report = join(root, 'docs', 'api.txt');
const ENTRIES = { turnout: 'src/index', 'turnout/client': 'src/client/index' };

const EXPORT_FROM = /^export (?:type )?\{([^}]*)\} from '([^']+)';/gm;
const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|const|class|function) (\w+)/;

/** The names a module passes on, and from where. Throws on `export *`: what it exports can't be seen in it. */
function passedOn(text, file) {
  if (/^export \*/m.test(text)) throw new Error(`${file} has an \`export *\`; name what is public`);
  return [...text.matchAll(EXPORT_FROM)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((one) => one.trim().replace(/^type /, ''))
      .filter((one) => one !== '')
      .map((name) => ({ name, from })),
  );
}

/** A statement at the left margin, with the doc comment right before it. */
const STATEMENT =
  /^(?<!\*\/\n)(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export|declare|interface|type|const|class|function|import) )/m;
/** Every file begins with a comment about itself. */
const HEADER = /^\s*\/\*\*[\s\S]*?\*\/\n/;

/** Top-level declarations of a .d.ts; overloads of a function are one. */
function declarations(text) {
  const found = new Map();
  for (const part of text.replace(HEADER, '').split(STATEMENT)) {
    const code = part.replace(HEADER, '');
    const name = DECLARED.exec(code)?.[1];
    if (name === undefined) continue;
    const before = found.get(name);
    found.set(name, { text: (before?.text ?? '') + code, documented: before?.documented ?? part.startsWith('/**') });
  }
  return found;
}

const withoutComments = (text) =>
  text
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/^export (?:declare )?/gm, '')
    .replace(/^[ \t]*\n/gm, '')
    .trim();

/** Where a name is declared, through modules that only pass it on. */
function find(types, file, name) {
  const text = readFileSync(join(types, `${file}.d.ts`), 'utf8');
  const own = declarations(text).get(name);
  if (own) return own;
  const next = passedOn(text, file).find((one) => one.name === name);
  if (!next) throw new Error(`${file} does not declare ${name}`);
  return find(types, join(dirname(file), next.from.replace(/\.js$/, '')), name);
}

/** @returns {{ text: string, undocumented: string[] }} */
function makeReport(types) {
  const undocumented = [];
  const parts = Object.entries(ENTRIES).map(([title, entry]) => {
    const names = passedOn(readFileSync(join(types, `${entry}.d.ts`), 'utf8'), entry).map((one) => one.name);
    const texts = names.sort().map((name) => {
      const { text, documented } = find(types, entry, name);
      if (!documented) undocumented.push(`${title}: ${name}`);
      return withoutComments(text);
    });
    return `# ${title}\n\n${texts.join('\n\n')}\n`;
  });
  const head = 'The public API. Written by `npm run api`; a change here is a change for users.\n\n';
  return { text: head + parts.join('\n'), undocumented };
}

const types = mkdtempSync(join(tmpdir(), 'turnout-api-'));
try {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const ran = execaSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', types], {
    cwd: root,
    stdio: 'inherit',
    reject: false,
  });
  if (ran.exitCode !== 0) throw new Error('the type declarations could not be written (see above)');
  const { text, undocumented } = makeReport(types);
  if (!process.argv.includes('--check')) writeFileSync(report, text);
  else if (!existsSync(report) || readFileSync(report, 'utf8') !== text) {
    console.error('docs/api.txt differs from the exported types. If that is meant, run: npm run api');
    process.exitCode = 1;
  }
  if (undocumented.length > 0) {
    console.error(`exported without a doc comment of its own:\n  ${undocumented.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(types, { recursive: true, force: true });
}
