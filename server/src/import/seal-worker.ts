/**
 * The thread that reads a KeePass file and seals it in the caller's name, with a second one beside it, and hands the rows to the thread that stores them. Keys
 * and plaintext live in these two, and end with them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { refuse } from '@passwordbroker/core/contract/problem';
import { prepareImport } from '@passwordbroker/core/domain/import/import-batch';
import { type FieldWork, portionsOf, presentColumns } from '@passwordbroker/core/domain/import/import-fields';
import { KeepassError } from '@passwordbroker/core/domain/keepass/errors';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { type Keyring, keyringOf } from '@passwordbroker/core/domain/keyring/keyring';
import { batchSender } from './batch-channel.ts';
import type { BatchHead } from './batch-source.ts';
import type { PortionBytes, RowsHead } from './batch-rows.ts';
import { checkHead, importerOf, portionOf, rowsHead } from './checked-rows.ts';
import type { CheckedHead } from './checked-rows.ts';
import { openImportBodies } from './import-bodies.ts';
import type { SealJob, SealKeys } from './import-job.ts';
import { type SealRows, rowsSealer } from './own-rows.ts';
import { asBytes } from './portion-bytes.ts';
import { searchRows } from './search-rows.ts';
import { secondHands } from './second-hands.ts';
import { discard } from './discard.ts';
import { TREE_NAME } from './tree-name.ts';

const job = workerData as SealJob;
const { file } = job;
/** They come when the master password has been judged, which is nearly always before the file is read. */
const opened = new Promise<SealKeys>((resolve) => parentPort?.once('message', resolve));
const send = batchSender<RowsHead, PortionBytes>(job.port);

async function seal(): Promise<void> {
  const second = job.hands === null ? null : secondHands(job.hands);
  const bodies = await openImportBodies(job);
  let keyring: Keyring | null = null;
  try {
    const tree = await readKeepassXml(file);
    discard(file);
    const { identity, keys } = await opened;
    keyring = keyringOf(identity, keys);
    // The name is only a first guess: what the caller has already is known when the batch is written.
    const { head, work } = await prepareImport(keyring, tree, { rootName: TREE_NAME, now: job.now });
    const importer = await importerOf(job);
    const sealed = head as unknown as BatchHead;
    const rows = await checkHead(importer, sealed);
    send.head(rowsHead(rows, sealed, null));
    const own = rowsSealer(importer, bodies.keep);
    // The second thread always has one portion waiting, so that it is never idle.
    const others = second === null ? [] : [second.seal, second.seal];
    await sealAll(work, rows, { own, others });
    send.end();
  } finally {
    keyring?.lock();
    discard(file);
    second?.end();
    await bodies.close();
  }
}

/**
 * Every pair of hands takes the next portion when it is done with one: the other thread's at once, so that its order is not behind a portion that is sealed here.
 * Those of this thread make the texts of the search first.
 */
async function sealAll(
  work: readonly FieldWork[],
  head: CheckedHead,
  { own, others }: { readonly own: SealRows; readonly others: readonly SealRows[] },
): Promise<void> {
  const portions = portionsOf(work);
  const takeOther = async (seal: SealRows) => {
    for (const some of portions) await sendPortion(await seal(some));
  };
  const takeOwn = async () => {
    for (const some of portions) {
      await sendPortion(await own(some));
      // Sent now, not when everything is sealed; and what the other thread has said is heard.
      await nextTurn();
    }
  };
  await Promise.all([...others.map(takeOther), sendTexts(work, head).then(takeOwn)]);
}

const sendPortion = (portion: PortionBytes) => send.portion(portion, [portion.bytes.buffer]);

const TEXTS_AT_ONCE = 1000;

/** What the entries are found by: known before anything is sealed. */
async function sendTexts(work: readonly FieldWork[], head: CheckedHead): Promise<void> {
  const texts = searchRows(head);
  for (const { entryId, field } of work) {
    const { title, login = null, file_name = null } = presentColumns(field);
    texts.add({ entry_id: entryId, title, login, file_name });
  }
  const rows = texts.rest();
  for (let at = 0; at < rows.length; at += TEXTS_AT_ONCE) {
    await sendPortion(asBytes(portionOf([], rows.slice(at, at + TEXTS_AT_ONCE), null)));
  }
}

seal()
  .catch((error: unknown) => send.refuse(error instanceof KeepassError ? refuse('file', error.message) : error))
  .finally(() => {
    // Whoever started this thread knows by this word that whatever there was to say is on its way.
    parentPort?.postMessage('through');
    job.port.close();
  });
