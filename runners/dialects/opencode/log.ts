/** Reads OpenCode's log (1.18, `key=value` pairs): each model call, each try of it, and what went wrong. */

import type { LogFact, LogReader } from '../acp/index.js';
import { codeOf } from './errors.js';

const PAIR = /([\w.]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;
const LOGGED = /^timestamp=\S+ +level=/;

function pairs(line: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of line.matchAll(PAIR)) {
    if (!found.has(key)) found.set(key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'));
  }
  return found;
}

/**
 * `process` begins an assistant message, that is a model call; each `stream` is a try of it. Subagents have sessions of
 * their own, titles are marked `small`.
 */
export function logReader(): LogReader {
  let tries = 0;
  let last: string | null = null;

  return {
    read(line, session): LogFact[] {
      if (!LOGGED.test(line)) return [];
      const said = pairs(line);
      const server = said.get('message') === 'server unavailable' ? said.get('key') : undefined;
      if (server !== undefined) return [{ fact: 'server', name: server, status: said.get('status') ?? 'failed' }];
      if (session === null) return [];
      if (said.get('session.id') !== session) return [];
      switch (said.get('message')) {
        case 'process': {
          if (said.has('error')) return [];
          tries = 0;
          last = null;
          return [{ fact: 'call' }];
        }
        case 'stream error':
          // "AI_APICallError: Rate limit reached for …"
          if (said.get('small') !== 'true') last = said.get('error.error')?.replace(/^\w+: /, '') ?? null;
          return [];
        case 'stream': {
          if (said.get('small') === 'true') return [];
          tries++;
          if (tries === 1) return [{ fact: 'model', id: `${said.get('providerID')}/${said.get('modelID')}` }];
          const code = last === null ? null : codeOf(last);
          // It goes on asking for more than a minute; the answer will not change.
          if (code === 'quota' || code === 'auth') return [{ fact: 'hopeless', code, message: last ?? '' }];
          const message = last ?? 'the stream of the model broke off';
          return [{ fact: 'retry', attempt: tries - 1, delayMs: null, code, message }];
        }
        default:
          return [];
      }
    },
  };
}
