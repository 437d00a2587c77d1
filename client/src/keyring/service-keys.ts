/** Keys of a new service account. Loads with the first one. */
import { createServiceKeys as createKeys } from '@passwordbroker/core/domain/keyring/service/service-keyring';
import type { InputOf, OutputOf } from './calls.ts';

export async function createServiceKeys(account: InputOf<'createServiceKeys'>): Promise<OutputOf<'createServiceKeys'>> {
  const { keyring, bundle, credential, text } = await createKeys(account);
  const { fingerprint } = keyring;
  keyring.lock();
  return { key_bundle: { ...bundle, certificate: { ...bundle.certificate } }, credential, text, fingerprint };
}
