import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Database['read'] | Transact;

const services = (reader: Reader) =>
  reader
    .selectFrom('service_accounts')
    .innerJoin('users', 'users.user_id', 'service_accounts.user_id')
    .leftJoin('users as owners', 'owners.user_id', 'service_accounts.owner_id')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'service_accounts.user_id')
    .selectAll('service_accounts')
    .select(['users.name', 'users.disabled_at', 'users.keyset_version', 'users.created_at', 'users.updated_at'])
    .select(['owners.name as owner_name', 'user_keysets.fpr']);

export type ServiceRow = NonNullable<Awaited<ReturnType<typeof findService>>>;

export async function findService(reader: Reader, userId: string) {
  return services(reader).where('service_accounts.user_id', '=', userId).executeTakeFirst();
}

/** @param ownerId null: of everybody */
export async function listServices(reader: Reader, ownerId: string | null): Promise<ServiceRow[]> {
  const all = services(reader);
  return (ownerId === null ? all : all.where('service_accounts.owner_id', '=', ownerId)).execute();
}

const timeOf = (millis: number) => new Date(millis).toISOString();

/** @param now Unix ms: ended and expired credentials are left out */
export async function asServiceAccounts(
  reader: Reader,
  rows: readonly ServiceRow[],
  now: number,
): Promise<ServiceAccount[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ user_id }) => user_id);
  const credentials = await livingCredentials(reader, ids, now);
  const memberships = await reader
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select((eb) => ['group_members.user_id', eb.fn.countAll<number>().as('count')] as const)
    .where('group_members.user_id', 'in', ids)
    .where('entry_groups.trashed_by', 'is', null)
    .groupBy('group_members.user_id')
    .execute();
  const groups = new Map(memberships.map(({ user_id, count }) => [user_id, Number(count)]));
  return rows.map((row) => ({
    user_id: row.user_id,
    name: row.name,
    description: row.description,
    owner: row.owner_id === null || row.owner_name === null ? null : { user_id: row.owner_id, name: row.owner_name },
    former_owner: row.former_owner,
    fpr: row.fpr,
    keyset_version: row.keyset_version,
    groups: groups.get(row.user_id) ?? 0,
    allowed_networks: row.allowed_networks === '' ? [] : row.allowed_networks.split(', '),
    credentials: credentials
      .filter(({ user_id }) => user_id === row.user_id)
      .map(({ slot_id, created_at, expires_at, last_used_at, last_address }) => ({
        slot_id,
        created_at: timeOf(created_at),
        expires_at: timeOf(expires_at),
        last_used_at: last_used_at === null ? null : timeOf(last_used_at),
        last_address,
      })),
    credential_due: row.credential_due === 1,
    disabled: row.disabled_at !== null,
    created_at: timeOf(row.created_at),
    updated_at: timeOf(row.updated_at),
  }));
}

/** Newest first. */
export async function livingCredentials(reader: Reader, userIds: readonly string[], now: number) {
  return reader
    .selectFrom('service_credentials')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('slot_id', 'desc')
    .execute();
}

export async function insertService(tx: Transact, row: Tables['service_accounts']): Promise<void> {
  await tx.insertInto('service_accounts').values(row).execute();
}

export async function updateServiceRow(
  tx: Transact,
  userId: string,
  change: Partial<Omit<Tables['service_accounts'], 'user_id'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.updateTable('service_accounts').set(change).where('user_id', '=', userId).execute();
}

export async function insertCredential(tx: Transact, row: Tables['service_credentials']): Promise<void> {
  await tx.insertInto('service_credentials').values(row).execute();
}

/** Returns whether it was living. */
export async function endCredential(tx: Transact, userId: string, slotId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('service_credentials')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function endAllCredentials(tx: Transact, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('service_credentials')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends the other credentials at `until` (Unix ms), or earlier if they expire earlier. */
export async function shortenOthers(tx: Transact, userId: string, keptSlot: string, until: number): Promise<void> {
  await tx
    .updateTable('service_credentials')
    .set({ expires_at: until })
    .where('user_id', '=', userId)
    .where('slot_id', '!=', keptSlot)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', until)
    .execute();
}

/** The accounts go on working. Call before the owner is deleted. */
export async function leaveServicesWithoutOwner(
  tx: Transact,
  owner: { readonly user_id: string; readonly name: string },
): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({ owner_id: null, former_owner: owner.name, credential_due: 1 })
    .where('owner_id', '=', owner.user_id)
    .execute();
}

/**
 * Of enabled accounts with an owner: the last to expire of each, before `until`, that was not told about yet. A rotation
 * shortens the former one.
 */
export async function listExpiring(reader: Reader, now: number, until: number) {
  return reader
    .selectFrom('service_credentials')
    .innerJoin('service_accounts', 'service_accounts.user_id', 'service_credentials.user_id')
    .innerJoin('users', 'users.user_id', 'service_accounts.user_id')
    .innerJoin('users as owners', 'owners.user_id', 'service_accounts.owner_id')
    .select(['slot_id', 'service_credentials.expires_at', 'users.name as service', 'owners.name', 'owners.email'])
    .where('ended_at', 'is', null)
    .where('told_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', until)
    .where('users.disabled_at', 'is', null)
    .where('owners.disabled_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('service_credentials as next')
            .select('next.slot_id')
            .whereRef('next.user_id', '=', 'service_credentials.user_id')
            .whereRef('next.expires_at', '>', 'service_credentials.expires_at')
            .where('next.ended_at', 'is', null),
        ),
      ),
    )
    .orderBy('expires_at')
    .limit(LIMITS.pageMax)
    .execute();
}

/** Returns false if another process was first. */
export async function markTold(tx: Transact, slotId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('service_credentials')
    .set({ told_at: now })
    .where('slot_id', '=', slotId)
    .where('told_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The slot of a living credential. */
export async function findMachineSlot(reader: Reader, slotId: string) {
  return reader
    .selectFrom('service_credentials')
    .select(['slot_id', 'kdf', 'blob', 'expires_at'])
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Outside the trash, by name. */
export async function listGroupsOf(reader: Reader, userId: string) {
  return reader
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select(['entry_groups.entry_group_id', 'entry_groups.name'])
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('entry_groups.name')
    .orderBy('entry_groups.entry_group_id')
    .execute();
}
