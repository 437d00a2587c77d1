/** The thread that reads and checks a batch that a client has sealed, and hands its rows to the thread that stores them. */
import { parentPort, workerData } from 'node:worker_threads';
import { batchSender } from './batch-channel.ts';
import type { PortionBytes, RowsHead } from './batch-rows.ts';
import { checkedRows } from './checked-rows.ts';
import { openImportBodies } from './import-bodies.ts';
import type { CheckJob } from './import-job.ts';
import { asBytes } from './portion-bytes.ts';
import { sealedSource } from './sealed-source.ts';

const job = workerData as CheckJob;
const send = batchSender<RowsHead, PortionBytes>(job.port);

async function check(): Promise<void> {
  const bodies = await openImportBodies(job);
  try {
    const rows = checkedRows(job, sealedSource(job.source), bodies.keep);
    send.head(await rows.head());
    for await (const portion of rows.portions()) {
      const kept = asBytes(portion);
      await send.portion(kept, [kept.bytes.buffer]);
    }
    send.end();
  } finally {
    await bodies.close();
  }
}

check()
  .catch((error: unknown) => send.refuse(error))
  .finally(() => {
    // Whoever started this thread knows by this word that whatever there was to say is on its way.
    parentPort?.postMessage('through');
    job.port.close();
  });
