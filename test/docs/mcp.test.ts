import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import Mcp from '../../src/commands/mcp.js';
import { ADDING } from '../lab/mcp/adding.js';
import { withClient } from '../serve/mcp/clients.js';
import { root } from './documents.js';

const text = readFileSync(join(root, 'docs', 'mcp.md'), 'utf8');

/** The row of a table whose first cell holds a name. */
const row = (name: string): string => text.split('\n').find((line) => line.startsWith(`| \`${name}`)) ?? '';

test('every tool is described with each of its arguments', () =>
  withClient({ era: 'modern', transport: 'stdio' }, async ({ client }) => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const described = name === 'agent_start' ? row('agent_exec') : row(name);
      for (const argument of Object.keys(inputSchema.properties ?? {}))
        assert.match(described, `\`${argument}\``, `${name}: ${argument}`);
    }
    const said = [...text.matchAll(/^\| `((?:agent|sessions)_[a-z]+)` \|/gm)].map((found) => found[1]);
    assert.equal(
      said,
      tools.map(({ name }) => name),
    );
  }));

test('every flag is described', () => {
  for (const flag of Object.keys(Mcp.flags)) assert.match(row(`--${flag}`), '|', flag);
});

test('the commands that add it are those that the lab runs against the programs', () => {
  for (const [program, { add }] of Object.entries(ADDING))
    assert.match(text, `\n${[program, ...add(['turnout', 'mcp'])].join(' ')}\n`, program);
});

test.run();
