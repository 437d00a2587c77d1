/**
 * `pb get` with a running agent, as a multiple of the start of Node alone; asked for: at most 3. Medians of 15, in turn.
 * `npx tsx bench/cli.bench.ts`
 */
import { spawnSync } from 'node:child_process';
import { register } from '@passwordbroker/core/contract/users/users';
import { newPb } from '../cli/src/testing/pb.ts';
import { KDF, personOf } from '../cli/src/testing/person.ts';
import { signUpBody, startTestApp } from '../server/src/testing/test-app.ts';

const ROUNDS = 15;

const app = await startTestApp({ kdf: KDF, start: Date.now() });
const pb = newPb();
try {
  const ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  const origin = await app.listen();
  await pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', ada.password]]);
  await pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
  await pb.run(['group', 'add', 'ops']);
  await pb.run(['add', 'ops/db', '--generate']);
  const gets: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    gets.push(await timed(async () => void (await pb.run(['get', 'ops/db']))));
    starts.push(await timed(async () => void spawnSync(process.execPath, ['-e', '0'])));
  }
  const [get, start] = [median(gets), median(starts)];
  console.log(
    `pb get: ${get.toFixed(0)} ms, Node alone: ${start.toFixed(0)} ms, ratio ${(get / start).toFixed(2)} (at most 3)`,
  );
  await pb.run(['lock']);
} finally {
  await app.stop();
  pb.remove();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
