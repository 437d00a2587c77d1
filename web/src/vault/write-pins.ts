/** One's own list of trusted keys on the server: sealed here, compared and set there (crypto.md §13). */
import { writeDocument } from '@passwordbroker/core/contract/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import { keyBundle } from '@passwordbroker/core/contract/users';
import type { PinnedPerson } from '@passwordbroker/core/domain/pins';
import type { InputOf } from '../keyring/calls.ts';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';

/** How often another page of the same person may come first. */
const TRIES = 5;

/** @throws KeyringError 'pins', 'key_changed', 'locked' */
export async function writePins(
  http: Http,
  keyring: VaultKeyring,
  people: readonly PinnedPerson[],
  how: InputOf<'sealPins'>['how'],
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const sealed = await keyring.call('sealPins', { people, how });
    if (sealed === null) return;
    const { replaces, blob_base64 } = sealed;
    try {
      const written = { params: { name: 'pins' }, ifMatch: replaces, body: { blob_base64 } };
      const { version } = await http.call(writeDocument, written);
      await keyring.call('readPins', { document: { version, blob_base64 }, isDecided: false });
      keyring.tellDocuments([{ name: 'pins', version }]);
      return;
    } catch (failure) {
      const isLate = failure instanceof AppError && failure.code === 'slot_conflict';
      if (!isLate || tries === TRIES) throw failure;
      await readPins(http, keyring);
    }
  }
}

/** @param isDecided a person goes on from what the server shows, whatever this device has seen */
export async function readPins(http: Http, keyring: VaultKeyring, isDecided = false): Promise<void> {
  const { documents } = await http.call(keyBundle);
  const document = documents.find(({ name }) => name === 'pins') ?? null;
  await keyring.call('readPins', { document, isDecided });
  keyring.tellDocuments(documents);
}
