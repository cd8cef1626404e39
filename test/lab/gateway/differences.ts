/** Where our answers differ from those of hermes-agent 0.19 that were recorded, each with the reason. */

const LATER = 'a method of later versions, which 0.19 does not have';
const OURS = 'left out, with the reason in docs/gateway.md';
const BUILT_IN = 'built-in commands are worked on by either spelling';

/** `method: what was → what is`: `result`, a code, or the keys that a result lacks. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'ping: -32601 → result': LATER,
  'gateway.capabilities: -32601 → result': LATER,
  'client.capabilities: -32601 → result': LATER,
  'session.events.since: -32601 → result': LATER,
  'request.answer: -32601 → result': LATER,
  'approval.pending: -32601 → 4001': LATER,
  'clarify.lock: -32601 → result': LATER,
  'subagent.list: -32601 → result': LATER,
  'session.create: result → 4017': 'a missing folder is refused instead of replaced',
  'session.create: result → -32602': 'runtimes that are unknown are refused as by later versions',
  'session.compress: result → 4010': 'the demo runtime has no command that compresses',
  'prompt.submit: result → 4002': 'an empty prompt is none',
  'prompt.submit: result → -32602': 'a number is no prompt',
  'prompt.submit: result → 4004':
    'truncation by ordinal alone, and consent without a target, are refused as by later versions',
  'prompt.submit: result → 4029': 'truncation needs consent, as in later versions',
  'prompt.submit: 4001 → result': 'a session can be used as long as it is kept',
  'session.title: 4022 → result': 'the recording names another session here',
  'session.branch: 5008 → result': 'the recording names another session here',
  'command.dispatch: 4018 → result': BUILT_IN,
  'command.dispatch: 4018 → 4001': 'commands belong to a session',
  'config.set: lacks warning, confirm_required, confirm_message': 'models are not looked up when they are set',
  'config.set: result → 4010': 'what an agent may do is no setting of clients',
  'config.set: result → 4002': 'settings of the look belong to the client',
  'image.attach: result → 4016': 'the picture of the recording is not here',
  'image.attach_bytes: lacks bytes, width, height, token_estimate': 'pictures are not decoded',
  'reload.mcp: lacks message': 'there is nothing to confirm',
  'shell.exec: 4005 → result': 'no command is run, so none is more dangerous than another',
  'spawn_tree.save: result → -32601': OURS,
  'spawn_tree.save: 4000 → -32601': OURS,
  'spawn_tree.load: 4030 → -32601': OURS,
  'spawn_tree.load: 4000 → -32601': OURS,
  'config.show: result → -32601': OURS,
  'insights.get: result → -32601': OURS,
  'llm.oneshot: result → -32601': OURS,
  'session.context_breakdown: result → -32601': OURS,
  'session.cwd.set: 4016 → -32601': OURS,
  'session.cwd.set: 4017 → -32601': OURS,
  'session.cwd.set: result → -32601': OURS,
};
