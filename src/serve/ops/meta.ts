/** Ops about the server itself: explain, version, ping. */

import { ERROR_CODES, type ErrorCode } from '../../contract/error.js';
import { CAPABILITIES, PROTOCOL, REVISION } from '../../contract/handshake.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { needText } from '../../request/fields.js';
import { RequestError } from '../../runs/request-error.js';
import { nearestWords } from '../../text/nearest.js';
import { EXPLANATIONS } from './explanations.js';
import type { Op } from './op.js';

/** Version of the op protocol; its original has the same. */
const AGENT_PROTOCOL = '1.0';
export const KINDS = ['event', 'gap', 'log', 'progress', 'result', 'patch', 'envelope', 'error', 'done'] as const;

export function versionDocument(version: string, ops: readonly string[]): JsonObject {
  return {
    turnout_version: version,
    agent_protocol: AGENT_PROTOCOL,
    protocol: PROTOCOL,
    rev: REVISION,
    capabilities: [...CAPABILITIES],
    ops: [...ops],
    kinds: [...KINDS],
  };
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_CODES, text);

export const explain: Op = async ({ fields, reply }) => {
  const code = needText(fields, 'code');
  if (!isCode(code)) {
    const [near] = nearestWords(code, Object.keys(ERROR_CODES), 1);
    throw new RequestError(
      `there is no error code ${code}${near === undefined ? '' : `; did you mean ${near}?`}`,
      1,
      'not-found',
    );
  }
  const { fatal, exit } = ERROR_CODES[code];
  reply.result('explain', true, { code, fatal, exit_code: exit, text: EXPLANATIONS[code] });
  return 0;
};

export const ping: Op = async ({ core, reply }) => {
  const degraded = core.degraded();
  reply.result('ping', true, degraded === null ? {} : { degraded });
  return 0;
};
