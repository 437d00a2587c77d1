/** The thread that reads a KeePass file and seals it in the caller's name. Keys and plaintext live and end with it. */
import { workerData } from 'node:worker_threads';
import type { ImportBatch } from '@passwordbroker/core/contract/import';
import { refuse } from '@passwordbroker/core/contract/problem';
import { sealImport } from '@passwordbroker/core/domain/import-batch';
import { KeepassError } from '@passwordbroker/core/domain/keepass/errors';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { keyringOf } from '@passwordbroker/core/domain/keyring';
import { batchSender } from './batch-channel.ts';
import type { SealJob } from './import-job.ts';

/** The thread that stores gives the tree its name, because that depends on what the caller has already. */
const NAMED_LATER = 'keepass';

async function run({ file, identity, keys, now, port }: SealJob): Promise<void> {
  const send = batchSender(port);
  const keyring = keyringOf(identity, keys);
  try {
    const tree = await readKeepassXml(file);
    for await (const piece of sealImport(keyring, tree, { rootName: NAMED_LATER, now })) {
      if (piece.type === 'head') {
        const { groups, entries, fields, skipped } = piece;
        send.head({ groups: groups as ImportBatch['groups'], entries: [...entries], fields, skipped });
      } else {
        send.portion({ fields: piece.fields as ImportBatch['fields'], bodies: piece.bodies });
      }
    }
    send.end();
  } catch (error) {
    send.refuse(error instanceof KeepassError ? refuse('file', error.message) : error);
  } finally {
    keyring.lock();
    port.close();
  }
}

await run(workerData as SealJob);
