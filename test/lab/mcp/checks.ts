/** `npm run lab -- mcp`: the MCP Inspector and the MCP conformance suite look at our server. */

import { join } from 'node:path';
import { installedBin } from '../install.js';
import { run, type Said, type Surroundings, startHttp, surroundings } from './programs.js';

const INSPECTOR = 'mcp-inspector';
const CONFORMANCE = 'mcp-conformance';
const HELLO = ['--tool-name', 'agent_exec', '--tool-arg', 'runtime=demo', '--tool-arg', 'prompt=say hello inspector'];

interface Check {
  name: string;
  argv: readonly string[];
  fits(said: Said): boolean;
}

const fine = ({ code }: Said): boolean => code === 0;

const INSPECTED: readonly Check[] = [
  {
    name: 'tools/list, and no remark on their schemas',
    argv: ['--method', 'tools/list', '--strict'],
    fits: (said) => fine(said) && said.stdout.includes('"agent_exec"') && !/warning|error/i.test(said.stderr),
  },
  { name: 'resources/list', argv: ['--method', 'resources/list'], fits: fine },
  {
    name: 'resources/templates/list',
    argv: ['--method', 'resources/templates/list'],
    fits: (said) => fine(said) && said.stdout.includes('turnout://sessions/{session_id}'),
  },
  {
    name: 'tools/call agent_exec',
    argv: ['--method', 'tools/call', ...HELLO],
    fits: (said) => fine(said) && said.stdout.includes('hello inspector'),
  },
  {
    name: 'tools/call agent_scan',
    argv: ['--method', 'tools/call', '--tool-name', 'agent_scan', '--tool-arg', 'all=true'],
    fits: (said) => fine(said) && said.stdout.includes('demo'),
  },
  {
    name: 'tools/call with a wrong argument',
    argv: [
      '--method',
      'tools/call',
      '--tool-name',
      'agent_exec',
      '--tool-arg',
      'prompt=x',
      '--tool-arg',
      'effort=huge',
    ],
    fits: (said) => `${said.stdout}${said.stderr}`.includes('effort: expected one of'),
  },
];

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

function missing(program: string, checks: number, count: Count): void {
  count.skipped += checks;
  console.log(`SKIPPED ${program}: not installed; run: npm run lab -- install ${program}`);
}

async function inspect(bin: string, target: readonly string[], how: string, around: Surroundings, count: Count) {
  for (const { name, argv, fits } of INSPECTED) {
    const said = await run(bin, ['--cli', ...target, ...argv], around);
    const ok = fits(said);
    count[ok ? 'passed' : 'failed'] += 1;
    console.log(`${ok ? 'pass' : 'FAIL'}  ${INSPECTOR} over ${how}: ${name}`);
    if (!ok) console.log(`exit ${said.code}\n${said.stdout.slice(-1500)}\n${said.stderr.slice(-1500)}`);
  }
}

/** The suite's own summary is the report; its exit code knows which failures are declared. */
async function conform(bin: string, url: string, around: Surroundings, count: Count): Promise<void> {
  const declared = join(around.root, 'test', 'lab', 'mcp', 'expected-failures.yml');
  const said = await run(bin, ['server', '--url', url, '--expected-failures', declared], around);
  const from = said.stdout.indexOf('=== SUMMARY ===');
  console.log(from < 0 ? `${said.stdout}\n${said.stderr}` : said.stdout.slice(from).trimEnd());
  const passed = /^Total: (\d+) passed/m.exec(said.stdout)?.[1] ?? '0';
  const ok = said.code === 0 && Number(passed) > 0;
  count[ok ? 'passed' : 'failed'] += 1;
  console.log(`${ok ? 'pass' : 'FAIL'}  ${CONFORMANCE} over http (what fails above stands in expected-failures.yml)`);
}

/** Exit code 1 when a check failed. */
export async function mcpChecks(root: string): Promise<number> {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  const inspector = installedBin(INSPECTOR);
  const conformance = installedBin(CONFORMANCE);
  if (inspector === undefined) missing(INSPECTOR, 2 * INSPECTED.length, count);
  if (conformance === undefined) missing(CONFORMANCE, 1, count);
  const around = surroundings(root);
  try {
    if (inspector !== undefined) {
      const stdio = [process.execPath, join(root, 'bin', 'turnout.js'), 'mcp'];
      await inspect(inspector, stdio, 'stdio', around, count);
    }
    if (inspector === undefined && conformance === undefined) return 0;
    const server = await startHttp(around);
    if (inspector !== undefined) await inspect(inspector, [server.url], 'http', around, count);
    if (conformance !== undefined) await conform(conformance, server.url, around, count);
    const code = await server.stop();
    if (code !== 0) {
      count.failed += 1;
      console.log(`FAIL  the server ended with ${code}`);
    }
  } finally {
    around.remove();
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
  return count.failed === 0 ? 0 : 1;
}
