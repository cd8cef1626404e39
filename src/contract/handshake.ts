/** The answer to `turnout --version --json`. Imports nothing, so that it can be printed before anything else is loaded. */

export const PROTOCOL = 1;
/** Revision of the public Agent Exec Protocol v1 whose additions are understood. */
export const REVISION = 30;
export const MIN_CALLER = '1.0.0';
/** The version of the original that its hosts may take us for: the last one whose behaviour was compared (rev 30). */
export const COMPATIBLE_VERSION = '2.24.4';

/** Each stands here only while all of it works. */
export const CAPABILITIES: readonly string[] = [
  'agent-exec',
  'agent-exec-full-access',
  'agent-exec-settings',
  'agent-exec-tool-activity',
  'agent-exec-full-access-any',
  'agent-exec-effort',
  'agent-scan',
  'agent-scan-read-only',
  'org-json-v1',
  'doctor-json',
  'doctor-read-only',
  'doctor-offline',
  'agent-exec-subagent-events',
  'agent-exec-rate-limit-retry',
  'agent-exec-access-read',
  'agent-exec-full-access-tools',
  'agent-exec-sandbox',
  'agent-exec-sandbox-fallback',
  'agent-exec-cost-null',
  'exec-access-edit',
  'exec-access-none',
  'exec-confine',
  'exec-policy',
  'exec-approvals',
  'exec-questions',
  'exec-steer',
  'exec-cancel-always',
  'exec-mcp-config',
  'agent-serve',
  'mcp',
  'acp',
  'gateway',
  'agent-models',
  'agent-models-alias-of',
  'agent-test-json',
  'agent-test-sandbox',
  'exec-output-schema',
  'exec-record',
  'exec-fallback',
  'exec-isolate',
  'exec-require-mcp',
  'agent-quota',
];

/** What `turnout --version --json` prints: the contract that this turnout speaks. */
export interface Handshake {
  v: 1;
  name: 'turnout';
  /** Ours; started under the name `monomind`, the version of it that we are compatible with. */
  version: string;
  /** Our own version, when `version` is not. */
  product_version?: string;
  protocol: 1;
  rev: number;
  min_caller: string;
  capabilities: readonly string[];
}

/**
 * @param own our own semver
 * @param persona the name that we were started under, when it is not ours
 */
export function handshake(own: string, persona?: 'monomind'): Handshake {
  return {
    v: 1,
    name: 'turnout',
    ...(persona === undefined ? { version: own } : { version: COMPATIBLE_VERSION, product_version: own }),
    protocol: PROTOCOL,
    rev: REVISION,
    min_caller: MIN_CALLER,
    capabilities: CAPABILITIES,
  };
}
