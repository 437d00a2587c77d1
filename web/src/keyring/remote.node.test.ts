// @vitest-environment node
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { connect, serve, type Port, type Services } from './remote.ts';

const STEPS = 1000;
const FILE = { file: new Blob(['x']), rootName: 'keepass' };

test('of a thousand steps in a moment the first and the last are told, in order and before the answer', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const importKeepass: Services['importKeepass'] = async (_, { onProgress }) => {
    for (let done = 1; done <= STEPS; done += 1) onProgress({ phase: 'sealing', done, total: STEPS });
    return { batch: new Blob(), bodies: [] };
  };
  serve(port1 as unknown as Port, { importKeepass } as Services, () => ({ code: 'internal' }));
  const told: number[] = [];
  await connect(port2 as unknown as Port).call('importKeepass', FILE, { onProgress: ({ done }) => told.push(done) });
  expect([told[0], told.at(-1)]).toEqual([1, STEPS]);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.length).toBeLessThan(STEPS / 10);
});
