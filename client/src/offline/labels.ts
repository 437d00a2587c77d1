/**
 * Whose copy it is and which application of his keeps it, sealed under a key of this device: shown where somebody is to unlock it, not to be read from the
 * browser's files, and what is believed where the record beside it says something else.
 */
import * as z from 'zod/mini';
import { User } from '@passwordbroker/core/contract/entities';
import type { CopyRecord, CopyStore } from '../keyring/copy/copy-store.ts';
import { createDeviceKey, openOnDevice, sealOnDevice } from '../keyring/device-seal.ts';

const labelOf = (name: string) => `copy ${name}`;
/** Labels that were sealed by an earlier version name no application. */
const Label = z.extend(User, { user_application_id: z.optional(z.string()) });
type Label = z.output<typeof Label>;
/** Beside the label itself. */
type Labelled = Pick<CopyRecord, 'applicationId'>;

export async function sealLabel(
  store: CopyStore,
  name: string,
  user: User,
  { applicationId }: Labelled,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = JSON.stringify({ ...user, user_application_id: applicationId });
  return sealOnDevice(await store.deviceKey(createDeviceKey), labelOf(name), text);
}

/** null: damaged, or of another copy. */
export async function openLabel(store: CopyStore, name: string, label: Uint8Array<ArrayBuffer>): Promise<User | null> {
  const opened = await open(store, name, label);
  if (opened === null) return null;
  const { user_application_id: _, ...user } = opened;
  return user;
}

async function open(store: CopyStore, name: string, label: Uint8Array<ArrayBuffer>): Promise<Label | null> {
  try {
    const text = await openOnDevice(await store.deviceKey(createDeviceKey), labelOf(name), label);
    const read = z.safeParse(Label, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Sealed anew where it does not open, or tells of the account as it was. Nothing where no copy is kept. */
export async function renewLabel(store: CopyStore, name: string, user: User): Promise<void> {
  const record = await soundRecord(store, name);
  if (record === null) return;
  const told = await openLabel(store, name, record.label);
  if (JSON.stringify(told) === JSON.stringify(user)) return;
  await store.change(name, { label: await sealLabel(store, name, user, record) });
}

/** As it is kept. What was changed in it of whose it is, of which server and of which application, is put right. null: no copy is kept. */
export async function soundRecord(store: CopyStore, name: string): Promise<CopyRecord | null> {
  const record = await store.record(name);
  if (record === null) return null;
  const [origin = '', userId = ''] = name.split(' ');
  const applicationId = (await open(store, name, record.label))?.user_application_id ?? record.applicationId;
  const isSound = record.origin === origin && record.userId === userId && record.applicationId === applicationId;
  if (isSound) return record;
  await store.change(name, { origin, userId, applicationId });
  return { ...record, origin, userId, applicationId };
}
