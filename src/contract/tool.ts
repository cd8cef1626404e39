import type { JsonObject } from './vocabulary.js';

/** A tool the caller declares and executes. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments (an object), draft-07 or 2020-12. */
  schema: JsonObject;
}
