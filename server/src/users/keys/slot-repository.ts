import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

export interface NewSlot {
  readonly userId: string;
  readonly slot: Pick<Tables['user_key_slots'], 'slot_id' | 'slot_type' | 'kdf' | 'salt' | 'blob'>;
  /** Version of the slot to replace, 0 for none. */
  readonly version: number;
  readonly now: number;
}

/** @throws AppError `not_found`, `slot_conflict` */
export async function deleteSlot(
  tx: Transact,
  { userId, slotType, version }: { userId: string; slotType: NewSlot['slot']['slot_type']; version: number },
): Promise<void> {
  const present = await tx
    .selectFrom('user_key_slots')
    .select('version')
    .where('user_id', '=', userId)
    .where('slot_type', '=', slotType)
    .executeTakeFirst();
  if (present === undefined) throw new AppError('not_found');
  if (present.version !== version) {
    throw new AppError('slot_conflict', { details: { current_version: present.version } });
  }
  await tx.deleteFrom('user_key_slots').where('user_id', '=', userId).where('slot_type', '=', slotType).execute();
}

/** @throws AppError `slot_conflict`; `conflict` without keys */
export async function storeSlot(tx: Transact, { userId, slot, version, now }: NewSlot): Promise<void> {
  const keyset = await tx.selectFrom('user_keysets').select('version').where('user_id', '=', userId).executeTakeFirst();
  if (keyset === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const present = await tx
    .selectFrom('user_key_slots')
    .select('version')
    .where('user_id', '=', userId)
    .where('slot_type', '=', slot.slot_type)
    .executeTakeFirst();
  const current_version = present?.version ?? 0;
  if (current_version !== version) throw new AppError('slot_conflict', { details: { current_version } });
  await tx.deleteFrom('user_key_slots').where('user_id', '=', userId).where('slot_type', '=', slot.slot_type).execute();
  const row = { ...slot, user_id: userId, version: version + 1, created_at: now };
  await tx.insertInto('user_key_slots').values(row).execute();
}
