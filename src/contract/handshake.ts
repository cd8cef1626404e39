/** The answer to `turnout --version --json`. Imports nothing, so that it can be printed before anything else is loaded. */

export const PROTOCOL = 1;
/** Revision of the public Agent Exec Protocol v1 whose additions are understood. */
export const REVISION = 30;
export const MIN_CALLER = '1.0.0';

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
  'exec-approvals',
  'exec-steer',
  'exec-cancel-always',
  'exec-mcp-config',
  'agent-serve',
  'mcp',
  'acp',
  'agent-models',
  'agent-models-alias-of',
  'agent-test-json',
  'agent-test-sandbox',
  'exec-output-schema',
  'exec-record',
  'exec-require-mcp',
  'agent-quota',
];

/** What `turnout --version --json` prints: the contract that this turnout speaks. */
export interface Handshake {
  v: 1;
  name: 'turnout';
  version: string;
  protocol: 1;
  rev: number;
  min_caller: string;
  capabilities: readonly string[];
}

/** @param version our own semver */
export function handshake(version: string): Handshake {
  return {
    v: 1,
    name: 'turnout',
    version,
    protocol: PROTOCOL,
    rev: REVISION,
    min_caller: MIN_CALLER,
    capabilities: CAPABILITIES,
  };
}
