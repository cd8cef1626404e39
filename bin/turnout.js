#!/usr/bin/env node
// The only executable. CommonJS (see package.json beside it), because Node starts it 15 ms sooner than a module, and
// hosts ask for the handshake before every first turn.
'use strict';

/** What older versions lack is used before anything else is loaded. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `turnout needs Node.js 20.19 or newer; this is ${process.versions.node} (${process.execPath})\n`,
  );
  process.exit(1);
}

const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(__dirname, '..', 'dist');
// A batch file on Windows can't be a link: it says the name by which we were started.
if (process.argv[2] === '__as' && process.argv[3]) {
  process.argv[1] = path.join(__dirname, process.argv[3]);
  process.argv.splice(2, 2);
}
const argv = process.argv.slice(2);
/** Hosts of the original protocol start us under its name (`turnout persona install`). */
const isMonomind = path.parse(process.argv[1]).name === 'monomind';

/** Answers `--version` and `--version --json`, in any order, without loading anything. */
function version() {
  const line = fs.readFileSync(path.join(dist, isMonomind ? 'handshake-monomind.json' : 'handshake.json'), 'utf8');
  const { version: told, product_version: own } = JSON.parse(line);
  const text = argv.includes('--json') ? line : `${told}${own ? ` (turnout ${own})` : ''}\n`;
  try {
    fs.writeSync(1, text);
  } catch (error) {
    // A pipe that another process made non-blocking may be full: Node's stream waits for it.
    if (error.code === 'EAGAIN') process.stdout.write(text);
    else if (error.code !== 'EPIPE') throw error;
  }
}

/** Hidden first words are programs of ours that runtimes start: our MCP server and the built-in demo runtime. */
async function run() {
  const hidden = { '__mcp-bridge': 'mcp-bridge.js', __demo: 'demo.js' };
  const file = Object.hasOwn(hidden, argv[0] ?? '') ? hidden[argv[0]] : null;
  // The hidden ones begin by being loaded.
  if (file) return void (await import(`../dist/${file}`));
  const { main } = require('../dist/main.cjs');
  await main(argv, async () => (await import('../dist/cli.js')).dispatch(argv));
}

if (!fs.existsSync(path.join(dist, 'handshake.json'))) {
  process.stderr.write(`turnout is not built yet. Run: npm run build   (in ${path.dirname(__dirname)})\n`);
  process.exitCode = 1;
} else if (argv.includes('--version') && argv.every((word) => word === '--version' || word === '--json')) {
  version();
} else {
  run().catch((error) => {
    process.stderr.write(`turnout: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exitCode = 1;
  });
}
