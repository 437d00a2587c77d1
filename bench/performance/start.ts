/** From the start of the process to its readiness, with an existing data folder. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PROCESS_ENVIRONMENT, freePort } from '../../e2e/testing/server/server.ts';
import { memoryOf } from '../tools/process.ts';
import { percentile } from '../tools/table.ts';
import { atMost, size, time, under } from './measure.ts';
import type { Measure } from './measure.ts';

const MAIN = fileURLToPath(new URL('../../server/dist/main.cjs', import.meta.url));
const ROUNDS = 7;
const SETTLES_MS = 2000;
/**
 * Limits as multiples of the start of Node alone. Node 20 has no compile cache and starts half as
 * fast.
 */
const MOST_TIMES = process.versions.node.startsWith('20.') ? 5 : 4;

export async function measureStart(dataDir: string, entries: number): Promise<Measure[]> {
  const [starts, alone]: [number[], number[]] = [[], []];
  let idle = Number.NaN;
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(startNodeAlone());
    const { ms, memory } = await startOnce(dataDir, round === ROUNDS - 1);
    starts.push(ms);
    idle = memory;
  }
  const ms = percentile(starts, 0.5);
  const node = { text: 'to start Node alone', ms: percentile(alone, 0.5) };
  return [
    time(`cold start with ${entries.toLocaleString('en')} entries`, ms, node, {
      goal: atMost(ms / node.ms, MOST_TIMES),
    }),
    size('memory idle (PSS)', idle, 'MB', { goal: under(idle, 80, 'MB') }),
  ];
}

async function startOnce(dataDir: string, isMeasured: boolean): Promise<{ ms: number; memory: number }> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...PROCESS_ENVIRONMENT, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
    if (answer?.status === 200) break;
    if (child.exitCode !== null || performance.now() - started > 20_000) throw new Error('The server does not start.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const ms = performance.now() - started;
  if (isMeasured) await new Promise((resolve) => setTimeout(resolve, SETTLES_MS));
  const memory = isMeasured ? (await memoryOf(child.pid ?? 0)).share : Number.NaN;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
  return { ms, memory };
}

function startNodeAlone(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}
