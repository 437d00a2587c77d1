import type { Database } from '../db/database.ts';

interface SlotVersion {
  readonly slot_type: string;
  readonly version: number;
}

/** Changes with slot, keyset or salt: neither fingerprints nor slot versions are reused. */
export function keyStateOf(fingerprint: string, slots: readonly SlotVersion[]): string {
  const versions = slots.map(({ slot_type, version }) => `${slot_type}:${version}`);
  return [fingerprint, ...versions.sort()].join(' ');
}

export async function readKeyState(db: Database, userId: string): Promise<string | null> {
  const rows = await db.read
    .selectFrom('user_keysets')
    .innerJoin('user_key_slots', 'user_key_slots.user_id', 'user_keysets.user_id')
    .select(['user_keysets.fpr', 'user_key_slots.slot_type', 'user_key_slots.version'])
    .where('user_keysets.user_id', '=', userId)
    .execute();
  const [first] = rows;
  return first === undefined ? null : keyStateOf(first.fpr, rows);
}

export async function findPasswordSlot(db: Database, userId: string) {
  return db.read
    .selectFrom('user_key_slots')
    .select(['salt', 'kdf'])
    .where('user_id', '=', userId)
    .where('slot_type', '=', 'password')
    .executeTakeFirst();
}
