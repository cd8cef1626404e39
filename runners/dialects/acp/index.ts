export { acp } from './conversation.js';
export type { LogFact, LogReader } from './log.js';

export type { Failure, Quirks, Where } from './quirks.js';
export { serverNames } from './servers.js';
export { type TokenReader, usageOfLastCall, usageOfTurn } from './tokens.js';
