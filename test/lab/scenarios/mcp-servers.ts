import { join } from 'node:path';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { NO_TOOL } from '../model/texts.js';
import type { Scenario } from './scenario.js';

/** A program that takes no servers for one turn must be no silent one: it is refused, and its recipe says why. */
function refusedServers(bench: Bench, outcome: Outcome): boolean {
  const refused = outcome.code === 2 && outcome.first('error')?.code === 'unsupported';
  bench.check('refused', !refused, describe(outcome));
  return refused;
}

export const mcpServerScenarios: readonly Scenario[] = [
  {
    name: 'mcp-config',
    title: "A caller's MCP server is there for one turn; a broken one does no harm",
    needs: 'exec-mcp-config',
    async run(bench) {
      const server = join(bench.root, 'test', 'lab', 'harness', 'mcp-server.mjs');
      const servers = {
        labserver: { command: process.execPath, args: [server] },
        broken: { command: join(bench.folder, 'no-such-program'), args: [] },
      };
      const config = bench.write('mcp.json', JSON.stringify({ mcpServers: servers }));
      const outcome = await bench.turn('tool lab_ping {"word":"hi"}', { flags: ['--mcp-config', config] });
      if (refusedServers(bench, outcome)) return;
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('offered', !outcome.text.includes(NO_TOOL), 'the tool was not offered to the model');
      bench.check(
        'told',
        outcome.text.includes('pong hi'),
        `the model was told ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
      bench.check(
        'ready',
        outcome.of('status').some((event) => event.phase === 'ready'),
        'no status ready',
      );
    },
  },
  {
    name: 'mcp-everything',
    title: 'A public MCP server from npm serves one turn',
    needs: 'exec-mcp-config',
    async run(bench) {
      const server = join(bench.root, 'node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js');
      const servers = { everything: { command: process.execPath, args: [server, 'stdio'] } };
      const config = bench.write('mcp.json', JSON.stringify({ mcpServers: servers }));
      const outcome = await bench.turn('tool echo {"message":"LAB-ECHO"}', { flags: ['--mcp-config', config] });
      if (refusedServers(bench, outcome)) return;
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('offered', !outcome.text.includes(NO_TOOL), 'the tool was not offered to the model');
      bench.check(
        'told',
        outcome.text.includes('LAB-ECHO'),
        `the model was told ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'mcp-required',
    title: '--require-mcp: the prompt is sent when the servers are ready, and not when one is missing',
    needs: 'exec-require-mcp',
    async run(bench) {
      const server = join(bench.root, 'test', 'lab', 'harness', 'mcp-server.mjs');
      const labserver = { command: process.execPath, args: [server] };
      const broken = { command: join(bench.folder, 'no-such-program'), args: [] };
      const good = bench.write('good.json', JSON.stringify({ mcpServers: { labserver } }));
      const bad = bench.write('bad.json', JSON.stringify({ mcpServers: { labserver, broken } }));
      const ready = await bench.turn('tool lab_ping {"word":"hi"}', {
        flags: ['--mcp-config', good, '--require-mcp', 'all'],
      });
      if (refusedServers(bench, ready)) return;
      bench.check('exit', ready.code === 0, describe(ready));
      bench.check('told', ready.text.includes('pong hi'), ready.text.slice(0, 200));
      const missing = await bench.turn('text', {
        flags: ['--mcp-config', bad, '--require-mcp', 'broken'],
        cwd: 'missing',
      });
      bench.check('code', missing.first('error')?.code === 'mcp-failed', describe(missing));
      bench.check('named', String(missing.first('error')?.message).includes('broken'), describe(missing));
      bench.check('unsaid', missing.text === '', `it said ${JSON.stringify(missing.text.slice(0, 200))}`);
      bench.check('unasked', missing.requests.length === 0, 'the model was asked');
    },
  },
];
