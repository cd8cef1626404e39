/** What runners of third parties share with ours: two dialects, and the caller's tools in the prompt. */

export { type AcpAgent, acpAgent } from '../../runners/dialects/acp/agent.js';
export { type PlainProgram, plainText } from '../../runners/dialects/plain-text.js';
export { promptToolsRequest, withPromptTools } from '../../runners/dialects/prompt-tools.js';
