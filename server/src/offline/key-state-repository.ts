import type { Database } from '../db/database.ts';

interface SlotVersion {
  readonly slot_type: string;
  readonly version: number;
}

interface WrapVersion {
  readonly slot_id: string;
  readonly version: number;
}

/**
 * Changes with slot, keyset, salt or wrap, because fingerprints, slot versions and ids of wraps are never reused.
 * Without wraps the result is the same as in releases before passkeys, so that local copies stay current.
 */
export function keyStateOf(
  fingerprint: string,
  slots: readonly SlotVersion[],
  wraps: readonly WrapVersion[] = [],
): string {
  const versions = slots.map(({ slot_type, version }) => `${slot_type}:${version}`);
  const ofPasskeys = wraps.map(({ slot_id, version }) => `${slot_id}:${version}`);
  return [fingerprint, ...versions.sort(), ...ofPasskeys.sort()].join(' ');
}

export async function readKeyState(db: Database, userId: string): Promise<string | null> {
  const rows = await db.read
    .selectFrom('user_keysets')
    .innerJoin('user_key_slots', 'user_key_slots.user_id', 'user_keysets.user_id')
    .select(['user_keysets.fpr', 'user_key_slots.slot_type', 'user_key_slots.version'])
    .where('user_keysets.user_id', '=', userId)
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const wraps = await db.read
    .selectFrom('user_prf_slots')
    .select(['slot_id', 'version'])
    .where('user_id', '=', userId)
    .execute();
  return keyStateOf(first.fpr, rows, wraps);
}

export async function findPasswordSlot(db: Database, userId: string) {
  return db.read
    .selectFrom('user_key_slots')
    .select(['salt', 'kdf'])
    .where('user_id', '=', userId)
    .where('slot_type', '=', 'password')
    .executeTakeFirst();
}
