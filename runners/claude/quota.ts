/** What is left of a Claude plan: the control request `get_usage` asks the account, not a model (2.1.332). */

import type { Json } from '../../src/contract/vocabulary.js';
import type { QuotaFound, QuotaQuery } from '../../src/runner/listing.js';
import { arr, bool, isObject, num, obj, parseObject, str } from '../../src/text/json.js';

const ID = 'turnout-usage';

/** Windows of `rate_limits` in the order in which a person looks for them. */
const NAMES: Readonly<Record<string, string>> = {
  five_hour: '5 hours',
  seven_day: '7 days',
  seven_day_opus: '7 days, Opus',
  seven_day_sonnet: '7 days, Sonnet',
  seven_day_oauth_apps: '7 days, other apps',
};

function window(name: string, told: Json | undefined): QuotaFound[] {
  if (!isObject(told)) return [];
  return [{ name, usedPercent: num(told, 'utilization') ?? null, resetsAt: str(told, 'resets_at') ?? null }];
}

export const quota: QuotaQuery = {
  args: [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--setting-sources', '', '--strict-mcp-config'],
  ],
  env: { DISABLE_AUTOUPDATER: '1' },
  say: [
    JSON.stringify({ type: 'control_request', request_id: 'turnout-hello', request: { subtype: 'initialize' } }),
    // Without the scan of local transcripts that would describe how the plan was used.
    JSON.stringify({
      type: 'control_request',
      request_id: ID,
      request: { subtype: 'get_usage', skip_behaviors: true },
    }),
  ],
  read(lines) {
    const reply = lines.map(parseObject).find((line) => str(line, 'response', 'request_id') === ID);
    const told = obj(reply, 'response', 'response');
    if (told === undefined) return null;
    if (bool(told, 'rate_limits_available') !== true) return [];
    const limits = obj(told, 'rate_limits');
    const models = (arr(limits, 'model_scoped') ?? []).flatMap((one) =>
      window(`7 days, ${str(one, 'display_name') ?? 'one model'}`, one),
    );
    const windows = Object.entries(NAMES).flatMap(([key, name]) => window(name, limits?.[key]));
    return [{ plan: str(told, 'subscription_type') ?? null, windows: [...windows, ...models] }];
  },
};
