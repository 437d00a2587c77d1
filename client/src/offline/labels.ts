/** Sealed owner and application of a copy, trusted over the unsealed record beside it. */
import * as z from 'zod/mini';
import { User } from '@passwordbroker/core/contract/entities';
import type { CopyRecord, CopyStore } from '../keyring/copy/copy-store.ts';
import { createDeviceKey, openOnDevice, sealOnDevice } from '../keyring/device-seal.ts';

const labelOf = (name: string) => `copy ${name}`;
/** Labels of earlier versions name no application. */
const Label = z.extend(User, { user_application_id: z.optional(z.string()) });
type Label = z.output<typeof Label>;
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

/** Returns null if the label is damaged or belongs to another copy. */
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

/** Seals the label again if it does not open or the account has changed. */
export async function renewLabel(store: CopyStore, name: string, user: User): Promise<void> {
  const record = await soundRecord(store, name);
  if (record === null) return;
  const told = await openLabel(store, name, record.label);
  if (JSON.stringify(told) === JSON.stringify(user)) return;
  await store.change(name, { label: await sealLabel(store, name, user, record) });
}

/**
 * Returns the record with origin, owner and application restored from name and label; null without a copy.
 */
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
