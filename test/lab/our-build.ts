import { join } from 'node:path';
import { runProgram } from '../run-program.js';

/** What the build under test says of itself. */
export interface OurBuild {
  capabilities: ReadonlySet<string>;
  runtimes: ReadonlySet<string>;
}

function ask(root: string, argv: readonly string[]): string {
  return runProgram(process.execPath, [join(root, 'bin', 'turnout.js'), ...argv]).stdout;
}

export function askOurBuild(root: string): OurBuild {
  const handshake: { capabilities: string[] } = JSON.parse(ask(root, ['--version', '--json']));
  const scan: { agents: { id: string }[] } = JSON.parse(ask(root, ['agent', 'scan', '--json', '--all']));
  const runtimes = new Set(scan.agents.map((agent) => agent.id));
  // A command line as a runtime is in no list: whether it is understood shows when one is tried.
  if (!ask(root, ['agent', 'exec', '--runtime', 'acp:/no/such/program', '--prompt', 'x']).includes('no-runner')) {
    runtimes.add('acp');
  }
  return { capabilities: new Set(handshake.capabilities), runtimes };
}
