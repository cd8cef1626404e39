/** The library: re-exports only. */

export * from './contract/error.js';
export * from './contract/event.js';
export * from './contract/frame.js';
export * from './contract/handshake.js';
export * from './contract/limits.js';
export * from './contract/listing.js';
export * from './contract/scan.js';
export * from './contract/tool.js';
export * from './contract/vocabulary.js';
export { exec, type LibraryOptions, scan } from './exec/library.js';
export { configuredRunners, type UserRunners } from './exec/user-runners.js';
export type { McpServerOption, TurnOptions } from './host/options.js';
export type { TurnResult } from './host/result.js';
export type { AnySchema, JsonSchema, Parsed, StandardSchema } from './host/schema.js';
export { type Tool, type ToolContext, type Tools, tool } from './host/tools.js';
export type { Decision, PermissionHandler, Turn } from './host/turn.js';
export { type ListOptions, models, sessions } from './inspect/list.js';
export * from './registry/dialects.js';
export { loadRunner } from './registry/external.js';
export { byId, nearest, runners } from './registry/registry.js';
export * from './runner/action.js';
export { RunnerFault } from './runner/fault.js';
export * from './runner/listing.js';
export * from './runner/machine.js';
export * from './runner/request.js';
export * from './runner/runner.js';
