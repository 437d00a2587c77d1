/** Cold start of the built server, as a ratio to starting Node with nothing to do, and its memory when idle. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../e2e/testing/server.ts';
import { memoryOf, percentile, printTable } from './table.ts';

const MAIN = fileURLToPath(new URL('../server/dist/main.js', import.meta.url));
const ROUNDS = 9;

async function startOnce(dataDir: string): Promise<{ ms: number; rss: number }> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
    if (answer?.status === 200) break;
    if (child.exitCode !== null || performance.now() - started > 20_000) throw new Error('The server does not start.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const ms = performance.now() - started;
  const { now } = await memoryOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
  return { ms, rss: now };
}

function startNodeAlone(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-bench-'));
try {
  await startOnce(dataDir); // makes the database
  const rounds = [];
  const alone = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(startNodeAlone());
    rounds.push(await startOnce(dataDir));
  }
  const median = percentile(
    rounds.map((round) => round.ms),
    0.5,
  );
  printTable('Cold start to /ready, existing database', [
    {
      'median ms': median,
      'fastest ms': Math.min(...rounds.map((round) => round.ms)),
      'limit ms': 300,
      'ratio to Node alone': median / percentile(alone, 0.5),
      'idle memory MB': percentile(
        rounds.map((round) => round.rss),
        0.5,
      ),
    },
  ]);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
