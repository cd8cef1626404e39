// A host in Node that lets the client do the work: finds an installed turnout, checks it, runs a turn with a tool.
//   node examples/client.mjs demo 'tool add {"a":2,"b":3}'
import { connect } from 'turnout/client';

const [runtime = 'demo', prompt = 'tool add {"a":2,"b":3}'] = process.argv.slice(2);
const number = { type: 'number' };

const turnout = await connect({ requires: ['exec-steer'] }).catch((error) => {
  console.error(`${error.message}${error.hint ? `\nTry: ${error.hint}` : ''}`);
  process.exit(1);
});
const turn = turnout.exec({
  runtime,
  prompt,
  tools: {
    add: {
      description: 'Adds two numbers.',
      schema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
      run: ({ a, b }) => a + b,
    },
  },
});
process.once('SIGINT', () => turn.cancel());
for await (const event of turn) if (event.type === 'assistant') process.stdout.write(event.text);
const { exitCode, error } = await turn.result();
console.log();
if (error) console.error(`${error.code}: ${error.message}`);
process.exitCode = exitCode;
