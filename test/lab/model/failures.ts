import { KEYS } from './texts.js';
import type { FailureName, JsonObject } from './types.js';

interface Failure {
  status: number;
  headers: Record<string, string>;
  body: JsonObject;
}

const retrySoon = { 'retry-after': '1' };

/** Anthropic's errors: the type decides, the request id is repeated in the body. */
export function anthropicFailure(name: FailureName, model: string): Failure {
  const shape = (status: number, type: string, message: string, headers: Record<string, string> = {}): Failure => ({
    status,
    headers: { 'request-id': 'req_lab_000001', ...headers },
    body: { type: 'error', error: { type, message }, request_id: 'req_lab_000001' },
  });
  switch (name) {
    case 'unauthorized':
    case 'bad-key':
      return shape(401, 'authentication_error', `invalid x-api-key: ${KEYS.anthropic}`, { 'x-should-retry': 'false' });
    case 'forbidden':
      return shape(403, 'permission_error', 'Your account does not have access to this resource.', {
        'x-should-retry': 'false',
      });
    case 'no-model':
      return shape(404, 'not_found_error', `model: ${model}`, { 'x-should-retry': 'false' });
    case 'rate-limit':
      return shape(
        429,
        'rate_limit_error',
        'This request would exceed your account rate limit. Please try again later.',
        {
          ...retrySoon,
          'x-should-retry': 'true',
          'anthropic-ratelimit-requests-remaining': '0',
        },
      );
    case 'quota':
      return shape(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
        { 'x-should-retry': 'false' },
      );
    case 'server-error':
      return shape(500, 'api_error', 'Internal server error', { 'x-should-retry': 'true' });
    case 'overloaded':
      return shape(529, 'overloaded_error', 'Overloaded', { 'x-should-retry': 'true' });
  }
}

/** OpenAI's errors, the same for Chat Completions and Responses. It answers overload with 503. */
export function openaiFailure(name: FailureName, model: string): Failure {
  const shape = (
    status: number,
    type: string,
    code: string | null,
    message: string,
    headers: Record<string, string> = {},
  ): Failure => ({
    status,
    headers: { 'x-request-id': 'req_lab_000001', ...headers },
    body: { error: { message, type, param: null, code } },
  });
  switch (name) {
    case 'unauthorized':
    case 'bad-key':
      return shape(
        401,
        'invalid_request_error',
        'invalid_api_key',
        `Incorrect API key provided: ${KEYS.openai}. You can find your API key in your account settings.`,
      );
    case 'forbidden':
      return shape(
        403,
        'request_forbidden',
        'unsupported_country_region_territory',
        'Country, region, or territory not supported',
      );
    case 'no-model':
      return shape(
        404,
        'invalid_request_error',
        'model_not_found',
        `The model \`${model}\` does not exist or you do not have access to it.`,
      );
    case 'rate-limit':
      return shape(
        429,
        'requests',
        'rate_limit_exceeded',
        `Rate limit reached for ${model} on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 1s.`,
        { ...retrySoon, 'x-ratelimit-remaining-requests': '0' },
      );
    case 'quota':
      return shape(
        429,
        'insufficient_quota',
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      );
    case 'server-error':
      return shape(
        500,
        'server_error',
        null,
        'The server had an error while processing your request. Sorry about that!',
      );
    case 'overloaded':
      return shape(503, 'server_error', null, 'The engine is currently overloaded, please try again later.');
  }
}

const rpc = (type: string, fields: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...fields,
});

/** Gemini's errors: a bad key is 400, not 401, and the waiting time is in the body, not in a header. */
export function geminiFailure(name: FailureName, model: string): Failure {
  const shape = (code: number, status: string, message: string, details: JsonObject[] = []): Failure => ({
    status: code,
    headers: {},
    body: { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } },
  });
  const exceeded = (quotaId: string, delay: string): JsonObject[] => [
    rpc('QuotaFailure', {
      violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId }],
    }),
    rpc('RetryInfo', { retryDelay: delay }),
  ];
  switch (name) {
    case 'unauthorized':
      return shape(
        401,
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      );
    case 'bad-key':
      return shape(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        rpc('ErrorInfo', {
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
          metadata: { service: 'generativelanguage.googleapis.com' },
        }),
      ]);
    case 'forbidden':
      return shape(403, 'PERMISSION_DENIED', 'Permission denied on this resource.');
    case 'no-model':
      return shape(
        404,
        'NOT_FOUND',
        `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      );
    case 'rate-limit':
      return shape(
        429,
        'RESOURCE_EXHAUSTED',
        'Resource has been exhausted (e.g. check quota).',
        exceeded('GenerateRequestsPerMinutePerProjectPerModel', '1s'),
      );
    case 'quota':
      return shape(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.',
        exceeded('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '3600s'),
      );
    case 'server-error':
      return shape(500, 'INTERNAL', 'An internal error has occurred. Please retry.');
    case 'overloaded':
      return shape(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
  }
}
