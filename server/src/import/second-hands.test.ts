/** The second thread of an import and the way to it. */
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startThread } from '../platform/thread.ts';
import type { HandsJob } from './import-job.ts';
import { secondHands } from './second-hands.ts';

/** What the thread says until it is gone. */
function startHands() {
  const { port1, port2 } = new MessageChannel();
  const place = { databasePath: '/nowhere', dataDir: '/nowhere', operationId: 'import' };
  const job = { ...place, now: 0, fileLimit: 1, userId: 'ada', port: port1 };
  const hands = secondHands(port2);
  const begin = () =>
    new Promise<unknown[]>((resolve, reject) => {
      const said: unknown[] = [];
      const thread = startThread('hands-worker', import.meta.url, {
        workerData: job satisfies HandsJob,
        transferList: [port1],
      });
      thread.on('message', (word) => said.push(word));
      thread.once('error', reject);
      thread.once('exit', () => resolve(said));
    });
  return { hands, begin };
}

test('a thread that nobody wants any more before it has begun ends with its word, not as one that died', async () => {
  const { hands, begin } = startHands();
  hands.end();
  expect(await begin()).toEqual(['through']);
});

test('a thread that is told to end ends with its word', async () => {
  const { hands, begin } = startHands();
  const over = begin();
  await expect(hands.seal([])).resolves.toHaveProperty('bytes');
  hands.end();
  expect(await over).toEqual(['through']);
});

test('what it still owes when the way is closed fails', async () => {
  const { hands } = startHands();
  const waits = hands.seal([]);
  hands.end();
  await expect(waits).rejects.toThrow('exited without a result');
  await expect(hands.seal([])).rejects.toThrow('exited without a result');
});
