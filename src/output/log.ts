/** What a server says about itself: lines on stderr, for people or for programs, never with a secret. */

import type { Json } from '../contract/vocabulary.js';
import { redact } from '../text/redact.js';

export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** From the least to the most that is said. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, Json>>;

export interface Log {
  /** Something that should work did not. */
  error(message: string, fields?: Fields): void;
  /** It works, but somebody should look. */
  warn(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  /** Every request and every turn. */
  debug(message: string, fields?: Fields): void;
}

export interface LogOptions {
  format: LogFormat;
  level: LogLevel;
  /** Values that are masked besides what looks like a secret. */
  secrets: readonly string[];
  write?(line: string): void;
  now?(): Date;
}

const toStderr = (line: string): void => void process.stderr.write(line);

/**
 * Text is `turnout: MESSAGE key=value…`; JSON is one object a line: `time` (ISO 8601, UTC), `level`, `message`, and the
 * fields.
 */
export function createLog(options: LogOptions): Log {
  const { format, secrets, write = toStderr, now = () => new Date() } = options;
  const most = LOG_LEVELS.indexOf(options.level);
  const at =
    (level: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: Fields = {}): void => {
      if (LOG_LEVELS.indexOf(level) > most) return;
      if (format === 'json') {
        const line = JSON.stringify({ time: now().toISOString(), level, message, ...fields });
        return write(`${redact(line, secrets)}\n`);
      }
      const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
      write(`turnout: ${redact(`${message}${rest.join('')}`, secrets)}\n`);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
