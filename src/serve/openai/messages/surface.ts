/** The API of Anthropic over HTTP: any runtime as a model, for its SDKs and for Claude Code itself. */

import type { Exchange, KeyedRoute, OtherEvidence, Surface } from '../../listen/surface.js';
import { asApiError } from '../as-error.js';
import type { Api } from '../begin.js';
import { post } from '../routing.js';
import { answerMessage, countTokens } from './answer.js';
import { errorResponse, problem } from './failure.js';

/** Its SDKs show the key in a header of their own. */
export const apiKey: OtherEvidence = ({ headers }, identify) => {
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? identify(key) : null;
};

const HEADERS = ['x-api-key', 'anthropic-version', 'anthropic-beta', 'anthropic-dangerous-direct-browser-access'];

function route(path: string, handle: (exchange: Exchange) => Response | Promise<Response>): KeyedRoute {
  return {
    ...post(path, handle),
    evidence: apiKey,
    async handle(exchange) {
      try {
        return await handle(exchange);
      } catch (error) {
        return errorResponse(asApiError(error));
      }
    },
  };
}

export const messagesSurface = (api: Api): Surface => ({
  name: 'anthropic',
  under: ['/v1/messages'],
  problem,
  cors: { accepts: HEADERS },
  routes: [
    route('/v1/messages', (exchange) => answerMessage(exchange, api)),
    route('/v1/messages/count_tokens', (exchange) => countTokens(exchange, api)),
  ],
});
