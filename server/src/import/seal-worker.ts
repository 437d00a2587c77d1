/** The thread that reads a KeePass file and seals it in the caller's name. Keys and plaintext live in it, and end with it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { refuse } from '@passwordbroker/core/contract/problem';
import { sealImport } from '@passwordbroker/core/domain/import-batch';
import { KeepassError } from '@passwordbroker/core/domain/keepass/errors';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { keyringOf } from '@passwordbroker/core/domain/keyring';
import { batchSender } from './batch-channel.ts';
import type { BatchHead, FieldPortion } from './batch-source.ts';
import type { SealJob } from './import-job.ts';
import { TREE_NAME } from './tree-name.ts';

const { file, identity, keys, now, port } = workerData as SealJob;
const send = batchSender<BatchHead, FieldPortion>(port);

async function seal(): Promise<void> {
  const keyring = keyringOf(identity, keys);
  try {
    const tree = await readKeepassXml(file);
    // The name is only a first guess: what the caller has already is known when the batch is written.
    for await (const piece of sealImport(keyring, tree, { rootName: TREE_NAME, now })) {
      if (piece.type === 'head') send.head(piece as unknown as BatchHead);
      else {
        const bodies = piece.bodies.map(({ bytes }) => bytes.buffer);
        await send.portion(piece as unknown as FieldPortion, bodies);
      }
      // Sent now, not when everything is sealed.
      await nextTurn();
    }
    send.end();
  } finally {
    keyring.lock();
    file.fill(0);
  }
}

seal()
  .catch((error: unknown) => send.refuse(error instanceof KeepassError ? refuse('file', error.message) : error))
  .finally(() => {
    // Whoever started this thread knows by this word that whatever there was to say is on its way.
    parentPort?.postMessage('through');
    port.close();
  });
