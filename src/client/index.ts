/** The client: re-exports only. */

export * from '../contract/error.js';
export type * from '../contract/event.js';
export type * from '../contract/frame.js';
export type { Handshake } from '../contract/handshake.js';
export type * from '../contract/scan.js';
export type * from '../contract/tool.js';
export * from '../contract/vocabulary.js';
export type { McpServerOption, TurnOptions } from '../host/options.js';
export type { TurnResult } from '../host/result.js';
export type { AnySchema, JsonSchema, Parsed, StandardSchema } from '../host/schema.js';
export { type Tool, type ToolContext, type Tools, tool } from '../host/tools.js';
export type { Decision, PermissionHandler, Turn } from '../host/turn.js';
export { type Client, type ConnectOptions, connect } from './connect.js';
