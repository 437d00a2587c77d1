/** Starts a built server whose `Date` tests can move; monotonic clocks and timers are unchanged. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../../e2e/testing/server/server.ts';

const PRELOAD = new URL('moved-clock.mjs', import.meta.url).href;

export interface MovedClock {
  /** Sets its offset from the machine's clock in milliseconds. */
  moveTo(ms: number): void;
}

export async function startWithMovedClock(): Promise<RunningServer & MovedClock> {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-clock-'));
  const file = join(folder, 'ms');
  const moveTo = (ms: number) => {
    writeFileSync(`${file}.new`, String(ms));
    renameSync(`${file}.new`, file);
  };
  moveTo(0);
  const NODE_OPTIONS = `--import=${PRELOAD}`;
  const server = await startServer({ env: { LOG_LEVEL: 'warn', NODE_OPTIONS, CLOCK_FILE: file } });
  return {
    ...server,
    moveTo,
    async stop() {
      const code = await server.stop();
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}
