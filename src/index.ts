/** The library: re-exports only. */

export * from './contract/error.js';
export * from './contract/event.js';
export * from './contract/frame.js';
export * from './contract/handshake.js';
export * from './contract/limits.js';
export * from './contract/scan.js';
export * from './contract/tool.js';
export * from './contract/vocabulary.js';
export { locate } from './discovery/locate.js';
export { isMissing, type Located, type Missing } from './discovery/located.js';
export { type Places, thisMachine } from './discovery/places.js';
export { type ScanOptions, scan } from './discovery/scan.js';
export { byId, nearest, runners } from './registry/registry.js';
export * from './runner/action.js';
export * from './runner/machine.js';
export * from './runner/request.js';
export * from './runner/runner.js';
export * from './turn/index.js';
