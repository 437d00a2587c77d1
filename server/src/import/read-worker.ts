/** The thread that reads a batch as its client has sealed it, while another one stores what has been read already. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { batchSender } from './batch-channel.ts';
import type { ReadJob } from './import-job.ts';
import { sealedSource } from './sealed-source.ts';

const { source, port } = workerData as ReadJob;
const send = batchSender(port);

async function read(): Promise<void> {
  const batch = sealedSource(source);
  send.head(await batch.head());
  for await (const portion of batch.portions()) {
    send.portion(portion);
    // Sent now, not when everything is read.
    await nextTurn();
  }
  send.end();
}

read()
  .catch((error: unknown) => send.refuse(error))
  .finally(() => {
    // Whoever started this thread knows by this word that whatever there was to say is on its way.
    parentPort?.postMessage('through');
    port.close();
  });
