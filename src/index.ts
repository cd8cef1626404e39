/** The library: re-exports only. */

export * from './contract/error.js';
export * from './contract/event.js';
export * from './contract/frame.js';
export * from './contract/handshake.js';
export * from './contract/limits.js';
export * from './contract/scan.js';
export * from './contract/vocabulary.js';
export * from './runner/action.js';
export * from './runner/machine.js';
export * from './runner/request.js';
export * from './runner/runner.js';
