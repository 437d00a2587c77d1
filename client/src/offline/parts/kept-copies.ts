import { nameOfCopy, type CopyRecord, type CopyStore, readSeen } from '../../keyring/copy/copy-store.ts';
import { readKeyPart } from '../../keyring/copy/key-parts.ts';
import { isExpired, isLongExpired, isTold, sinceExpired } from './copy-age.ts';
import { openLabel } from '../labels.ts';
import type { LocalCopy } from '../offline.ts';

/** Copies that can be opened now or when the clock is right. */
export async function openableCopies(store: CopyStore): Promise<readonly LocalCopy[]> {
  const copies = await Promise.all((await store.records()).map((record) => openable(store, record)));
  return copies.filter((copy) => copy !== null);
}

/** Deleted expired copies, while this is reported. */
export async function expiredCopies(store: CopyStore): Promise<readonly LocalCopy[]> {
  const expired = (await store.records()).filter((record) => record.key === null && isExpired(record));
  const copies = await Promise.all(expired.map((record) => shown(store, record)));
  return copies.filter((copy) => copy !== null);
}

async function openable(store: CopyStore, record: CopyRecord): Promise<LocalCopy | null> {
  return record.key === null || isExpired(record) ? null : shown(store, record);
}

/** null: unknown owner. */
async function shown(store: CopyStore, record: CopyRecord): Promise<LocalCopy | null> {
  const { origin, userId, server, label } = record;
  const name = nameOfCopy(origin, userId);
  const user = await openLabel(store, name, label);
  if (user?.user_id !== userId) return null;
  const copyOf = readSeen(await store.seen(name))?.timestamp ?? null;
  const passkeys = (await readKeyPart(record))?.passkeys ?? [];
  const passkeyHosts = [...new Set(passkeys.map(({ rp_id }) => rp_id))];
  return { userId, name: user.name, email: user.email, server, copyOf, passkeyHosts };
}

/** Deletes expired copies and leftovers. @returns whether any remains */
export async function sweepCopies(store: CopyStore): Promise<boolean> {
  for (const name of await store.names()) {
    const record = await store.record(name);
    if (record === null || !isExpired(record)) continue;
    // The owner's name is shown to others at sign-in, so the record goes after the report period.
    if (isLongExpired(record)) await store.remove(name);
    else await store.wipeParts(name);
    const syncedAt = Number.isFinite(record.syncedAt) ? record.syncedAt : sinceExpired();
    if (!isTold({ ...record, syncedAt })) await store.change(name, { syncedAt, toldSince: Date.now() });
  }
  await store.sweep();
  return (await store.names()).length > 0;
}
