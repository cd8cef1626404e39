/** `turnout __mcp-bridge`: what a runtime starts as its MCP server. Passes lines between its stdio and our socket. */

import { connect } from 'node:net';

const path = process.env['TURNOUT_MCP_BRIDGE'];
const token = process.env['TURNOUT_MCP_BRIDGE_TOKEN'];

if (!path || !token) {
  process.stderr.write('turnout: this program is started by turnout itself\n');
  process.exit(2);
}

const socket = connect(path);
socket.on('connect', () => {
  socket.write(`${token}\n`);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});
socket.on('error', (error) => {
  process.stderr.write(`turnout: the turn this tool server belongs to is gone (${error.message})\n`);
  process.exit(1);
});
socket.on('close', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
