/**
 * Structured logs with an allow-list (docs/spec/threats.md §3.1.32): no body, query, cookie or password gets
 * into the log. Messages must be constants.
 */
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { LogLevel } from '../app/config.ts';

export type Log = Logger;

const ALLOWED = new Set([
  'request_id',
  'method',
  'route',
  'status',
  'ms',
  'address',
  'event',
  'host',
  'port',
  'url',
  'version',
  'count',
  'seconds',
  'signal',
  'seq',
  'hash',
  // Public key that verifies audit checkpoints.
  'key',
  'error',
  'archive_fault',
  'upgrade_copy',
  'free_mib',
  'needed_mib',
  // The identity provider, and why a sign-in there failed: a fixed word, never a claim.
  'provider',
  'reason',
]);

/** Omits the message: parsers quote their input in it. */
function shapeOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const cause = error.cause === undefined ? undefined : shapeOf(error.cause);
  return { name: error.name, code, at: frames.slice(0, 12).map((line) => line.trim()), cause };
}

export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (members: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(members)
            .filter(([name]) => ALLOWED.has(name))
            .map(([name, value]) => [name, name === 'error' ? shapeOf(value) : value]),
        ),
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
