/** A small runner as the text of a module, as a third party would write it. */

const report = "{ native_sandbox: 'none', approvals: 'off', gaps: ['write', 'shell', 'network', 'read_outside'] }";

const FIELDS: Readonly<Record<string, string>> = {
  id: "'toy'",
  title: "'Toy'",
  bins: "['sh']",
  packages: '[]',
  install: "{ kind: 'manual' }",
  installHint: "'get a shell'",
  loginHint: 'null',
  testedVersions: '[]',
  transport: "'text'",
  streamsIncrementally: 'false',
  toolActivity: "'none'",
  access: `{ scoped: ${report} }`,
  sandbox: '{}',
  toolTransport: "'none'",
  parallelCalls: 'false',
  resume: 'false',
  effort: 'false',
  maxTurns: 'false',
  reportsCost: 'false',
  silentRetries: 'false',
  promptInArgv: 'true',
  decidesPerCommand: 'false',
  steer: 'false',
  settingsLoaded: '[]',
  nesting: '[]',
  keys: '[]',
  tools: "() => 'none'",
  invoke: `(request, machine) => ({
    argv: [machine.program.path, '-c', 'echo "you said: $1"', 'toy', request.prompt], env: {}, stdin: 'null', stdout: 'pipe',
  })`,
  converse: `() => ({
    hear(heard) {
      if (heard.type === 'line') return [{ do: 'say', event: { type: 'assistant', text: heard.text, message_id: 'm1' } }];
      if (heard.type === 'exit') return [{ do: 'finish', outcome: { ok: true, stopReason: 'end_turn' } }];
      return [];
    },
  })`,
};

/**
 * @param changes JavaScript in place of a field's value
 * @param before statements of the module, run while it is loaded
 */
export function toyModule(changes: Readonly<Record<string, string>> = {}, before = ''): string {
  const fields = Object.entries({ ...FIELDS, ...changes }).map(([name, value]) => `  ${name}: ${value},`);
  return `${before}\nexport default {\n${fields.join('\n')}\n};\n`;
}
