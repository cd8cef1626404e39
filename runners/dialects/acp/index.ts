export { type AcpOptions, acp } from './conversation.js';
export type { LogFact, LogReader } from './log.js';
export { OWN_SERVER } from './names.js';
export type { Failure, Quirks, Where } from './quirks.js';
export { serverNames } from './servers.js';
export { type TokenReader, type Tokens, usageOfLastCall, usageOfTurn } from './tokens.js';
