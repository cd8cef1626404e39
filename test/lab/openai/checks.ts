/** `npm run lab -- openai`: SDKs and agent programs are clients of our server, with demo, claude and codex behind it. */

import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgramLater } from '../../run-program.js';
import { installedBin } from '../install.js';
import { TEXT } from '../model/texts.js';
import { AGENTS, runAgent } from './agents.js';
import { KEY, type Lab, openLab } from './server.js';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** What each kind of model does with a prompt: the demo reads its first word, the others ask the scripted model. */
const DEMO = { say: 'say hello lab', said: 'hello lab', tool: 'tool add {"a":1,"b":2}', fail: 'auth' };
const SCRIPTED = {
  say: 'SCENARIO:text',
  said: TEXT,
  tool: 'SCENARIO:tool add {"a":1,"b":2}',
  fail: 'SCENARIO:badkey',
};

/** Scripts for the packages of each; they print `pass NAME` or `FAIL NAME: why` for each check. */
const SDKS = [
  { program: 'openai-js', script: 'js.mjs', command: () => process.execPath },
  { program: 'openai-py', script: 'py.py', command: (bin: string) => join(dirname(bin), 'python') },
];

function missing(program: string, count: Count): void {
  count.skipped += 1;
  console.log(`SKIPPED ${program}: not installed; run: npm run lab -- install ${program}`);
}

async function sdkChecks(root: string, lab: Lab, only: readonly string[], count: Count): Promise<void> {
  for (const { program, script, command } of SDKS) {
    const bin = installedBin(program);
    if (bin === undefined) {
      missing(program, count);
      continue;
    }
    // Modules are looked for beside the script.
    const copy = join(dirname(bin), '..', '..', script);
    copyFileSync(join(root, 'test', 'lab', 'openai', 'clients', script), copy);
    for (const { name, scripted } of lab.models.filter((one) => only.length === 0 || only.includes(one.name))) {
      const prompts = JSON.stringify(scripted ? SCRIPTED : DEMO);
      const argv = [copy, lab.url, KEY, name, prompts];
      const said = await runProgramLater(command(bin), argv, { cwd: lab.folder, env: lab.env, timeout: 900_000 });
      const lines = said.stdout.split('\n').filter((line) => /^(pass|FAIL) /.test(line));
      for (const line of lines) console.log(`${line.slice(0, 4)}  ${program}, ${name}: ${line.slice(5)}`);
      count.passed += lines.filter((line) => line.startsWith('pass')).length;
      count.failed += lines.filter((line) => line.startsWith('FAIL')).length;
      if (said.status === 0 && lines.length > 0) continue;
      count.failed += 1;
      console.log(`FAIL  ${program}, ${name}: exit ${said.status}\n${said.stderr.slice(-1500)}`);
    }
  }
}

async function agentChecks(lab: Lab, count: Count): Promise<void> {
  // A model that calls the client's tools by name needs the scripted one behind it.
  const model = lab.models.find(({ scripted }) => scripted)?.name;
  if (model === undefined) return missing('claude', count);
  for (const check of AGENTS) {
    if (installedBin(check.program) === undefined) {
      missing(check.program, count);
      continue;
    }
    const fault = await runAgent(check, lab, model);
    count[fault === null ? 'passed' : 'failed'] += 1;
    console.log(`${fault === null ? 'pass' : 'FAIL'}  ${check.name}${fault === null ? '' : `\n${fault}`}`);
  }
}

/**
 * @param only names of models; all of them when empty
 * @returns 1 when a check failed
 */
export async function openaiChecks(root: string, only: readonly string[]): Promise<number> {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  const lab = await openLab(root);
  try {
    if (!only.includes('none')) await sdkChecks(root, lab, only, count);
    await agentChecks(lab, count);
  } finally {
    await lab.close();
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
  return count.failed === 0 ? 0 : 1;
}
