/** Whose copy it is, sealed under a key of this device: shown where somebody is to unlock it, and not to be read from the browser's files. */
import * as z from 'zod/mini';
import { User } from '@passwordbroker/core/contract/entities';
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import { createDeviceKey, openOnDevice, sealOnDevice } from '../keyring/device-seal.ts';

const labelOf = (name: string) => `copy ${name}`;

export async function sealLabel(store: CopyStore, name: string, user: User): Promise<Uint8Array<ArrayBuffer>> {
  return sealOnDevice(await store.deviceKey(createDeviceKey), labelOf(name), JSON.stringify(user));
}

/** null: damaged, or of another copy. */
export async function openLabel(store: CopyStore, name: string, label: Uint8Array<ArrayBuffer>): Promise<User | null> {
  try {
    const text = await openOnDevice(await store.deviceKey(createDeviceKey), labelOf(name), label);
    const read = z.safeParse(User, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Sealed anew where it does not open, or tells of the account as it was. Nothing where no copy is kept. */
export async function renewLabel(store: CopyStore, name: string, user: User): Promise<void> {
  const record = await store.record(name);
  if (record === null) return;
  const told = await openLabel(store, name, record.label);
  if (JSON.stringify(told) === JSON.stringify(user)) return;
  await store.change(name, { label: await sealLabel(store, name, user) });
}
