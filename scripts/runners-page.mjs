// Writes docs/runners.md from the runners' own data and their fixtures. With --check it only says whether that is due.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptBy, keptInWords } from './kept-by.mjs';
import { loadRunners, root } from './load-runners.mjs';

const PATH = join(root, 'docs', 'runners.md');

const HEAD = `# The runtimes

<!-- Written by scripts/runners-page.mjs from the runners and their fixtures: do not edit. -->

What turnout knows of each program. \`turnout agent scan --json\` says the same, with what it found on your machine.
[writing-a-runner.md](writing-a-runner.md) is about adding one.

*Measured* means that turns of the real program were seen, against a scripted model and without an account; what each did stands in
[compatibility.md](compatibility.md). *Documented* means that its documents are all we have: it is there to be tried, and nothing is
promised of it. *Kept by* names what holds an access mode other than \`full\`: the program's rules with our answers, the operating system
([the confinement](security.md#confinement): Linux with bubblewrap), or both. Where that is not to be had (macOS, Windows, a container), a mode
that the operating system alone keeps is refused. A version that is newer than the tested ones is tried all the same; scan and doctor say so.
`;

const code = (text) => `\`${text}\``;
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const list = (items) => items.join(', ');
const TOOL_TRANSPORTS = {
  native: 'through its own protocol',
  mcp: 'through an MCP server that lives for one turn',
  prompt: 'written into the prompt',
  none: 'not at all',
};
const SANDBOX = {
  'read-only': 'nothing can be written',
  'workspace-write': 'an OS sandbox around the working folder',
  restricted: "its own rules and turnout's answers stand between the model and a write",
  full: 'its sandbox is off',
  none: 'nothing of its own',
  turnout: 'turnout decides each call',
};
const GAPS = { read_outside: 'reading elsewhere', write: 'writing', shell: 'commands', network: 'the network' };

/** Where the fixtures of a runtime come from. */
function fixturesOf(runner) {
  const folder = join(root, 'fixtures', runner.id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.meta.json')) : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

const isMeasured = (runner) => runner.builtin || runner.testedVersions.length > 0;

function checked(runner) {
  if (runner.builtin) return 'part of turnout';
  const found = fixturesOf(runner);
  const parts = [
    found.some((meta) => meta.recorded) ? 'recorded by turnout' : '',
    found.some((meta) => !meta.recorded && meta.version !== null) ? 'from captures of the program' : '',
    found.some((meta) => meta.version === null) ? 'written by hand from its documents' : '',
  ].filter(Boolean);
  const how = isMeasured(runner) ? `measured with ${list(runner.testedVersions)}` : 'documented; no version tested';
  return `${how}. Fixtures: ${list(parts)}`;
}

function mode(name, report) {
  const gaps = report.gaps.map((gap) => GAPS[gap]);
  const open = name === 'full' || gaps.length === 0 ? '' : `; not prevented: ${list(gaps)}`;
  return `  - ${code(name)}: ${SANDBOX[report.native_sandbox]}${open}`;
}

/** What stands around it on Linux with bubblewrap. */
function walls(runner) {
  if (runner.unsupported) return [];
  if (runner.confine === undefined) {
    return ['- **Confinement**: never; what it needs inside is not known, so `--confine os` is refused'];
  }
  const alone = keptBy(runner)
    .filter(({ by }) => by === 'os')
    .map(({ mode }) => code(mode));
  const states = runner.confine.state;
  const stays = states.flatMap((one) =>
    one.kept ? [code(one.at)] : (one.sessions ?? []).map((name) => code(`${one.at}/${name}`)),
  );
  return [
    `- **Confinement**: by bubblewrap on Linux, around ${alone.length > 0 ? `its own rules; ${list(alone)} by the operating system alone` : 'its own rules'}. May be written and stays: ${list(stays) || 'nothing'}`,
    ...(runner.confine.nests ? ['  - It builds a sandbox of its own inside.'] : []),
    ...(runner.confine.keyring
      ? [`  - A login in the system keyring is out of reach: set ${list(runner.confine.keyring.map(code))}.`]
      : []),
  ];
}

function abilities(runner) {
  const all = [
    ['resumes sessions', runner.resume],
    ['several of your tools at once', runner.toolTransport !== 'none' && runner.parallelCalls],
    ['effort', runner.effort],
    ['counts rounds itself', runner.maxTurns],
    ['reports cost', runner.reportsCost],
    ['steering', runner.steer],
    ['pictures', runner.images],
    ['single commands by prefix', runner.decidesPerCommand],
    ['lists its models', runner.models !== undefined],
    ['lists its sessions', runner.sessions !== undefined],
  ];
  const has = all.filter(([, value]) => value).map(([name]) => name);
  const lacks = all.filter(([, value]) => !value).map(([name]) => name);
  return [`- **Can**: ${list(has) || '–'}`, `- **Not supported, or not seen yet**: ${list(lacks) || '–'}`];
}

function remarks(runner) {
  return [
    runner.promptInArgv ? 'The prompt is an argument: others on the machine see it, and it ends at 120 KiB.' : '',
    runner.silentRetries ? 'It may retry without saying so; `--timeout` ends that.' : '',
    runner.untoldEnds?.length
      ? `It does not tell an answer that ends as ${list(runner.untoldEnds)}: such a turn ends as \`end_turn\`.`
      : '',
    runner.settingsLoaded.length > 0 ? `Loaded at \`--settings none\` too: ${list(runner.settingsLoaded)}.` : '',
    runner.unsupported ? `It is known but not run: ${runner.unsupported}.` : '',
  ].filter(Boolean);
}

function section(runner) {
  const modes = Object.keys(runner.sandbox);
  const told = { full: 'calls and their results', 'start-only': 'calls without results', none: 'nothing' };
  const names = runner.aliases?.length ? ` (also ${list(runner.aliases.map(code))})` : '';
  return [
    `## ${runner.id}`,
    '',
    `${runner.title}${names}: ${isMeasured(runner) ? 'measured' : 'documented'}.`,
    '',
    ...(runner.builtin
      ? []
      : [
          `- **Program**: ${list(runner.bins.map(code))}. Install: ${code(runner.installHint)}. Log in: ${runner.loginHint === null ? '–' : code(runner.loginHint)}`,
        ]),
    `- **Speaks**: ${runner.transport}, ${runner.streamsIncrementally ? 'as it grows' : 'in whole messages'}; reports its own tools: ${told[runner.toolActivity]}`,
    `- **Your tools**: ${TOOL_TRANSPORTS[runner.toolTransport]}`,
    '- **Access**:',
    ...Object.entries(runner.access).map(([name, report]) => mode(name, report)),
    ...walls(runner),
    ...(modes.length > 0 ? [`- **\`--sandbox\`**: ${list(modes.map(code))}`] : []),
    ...abilities(runner),
    ...remarks(runner).map((remark) => `- ${remark}`),
    `- **Checked**: ${checked(runner)}`,
    '',
  ].join('\n');
}

const COLUMNS = ['runtime', 'transport', 'your tools', 'modes', 'kept by', 'resume', 'tested with', 'how checked'];

function row(runner) {
  return [
    `[${code(runner.id)}](#${runner.id})`,
    runner.transport,
    runner.toolTransport === 'none' ? '–' : runner.toolTransport,
    list(keptBy(runner).map((one) => one.mode)) || '–',
    keptInWords(runner),
    runner.resume ? 'yes' : '–',
    list(runner.testedVersions) || '–',
    isMeasured(runner) ? 'measured' : 'documented',
  ].map(cell);
}

function page(runners) {
  const lines = [COLUMNS, COLUMNS.map(() => '---'), ...runners.map(row)].map((cells) => `| ${cells.join(' | ')} |`);
  return `${HEAD}\n${lines.join('\n')}\n\n${runners.map(section).join('\n')}`;
}

const next = page(await loadRunners());
const now = existsSync(PATH) ? readFileSync(PATH, 'utf8') : '';
if (process.argv.includes('--check')) {
  if (next !== now) {
    console.error('docs/runners.md is not up to date. Run: node scripts/runners-page.mjs');
    process.exitCode = 1;
  }
} else if (next !== now) writeFileSync(PATH, next);
