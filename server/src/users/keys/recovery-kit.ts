/** The recovery slot: a kit is made, removed, or used to replace a forgotten master password. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { SlotType, removeSlot, replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Context, Deps, Caller } from '../../http/context.ts';
import { giveNotice } from '../../mail/outbox-repository.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { checkSlot } from './key-bundle.ts';
import { deleteSlot, storeSlot } from './key-repository.ts';

type ReplaceBody = BodyOf<typeof replaceSlot>;
type SentSlot = ReplaceBody['slot'];
export type UsedKit = NonNullable<ReplaceBody['recovery']>;

/**
 * Returns the recovery slot that opened the keys; null if the master password opened them.
 * @throws AppError `validation`, `bad_sealed_value`
 */
export function usedKitOf(slotType: SlotType, { by, recovery }: ReplaceBody, kdf: Deps['kdf']): UsedKit | null {
  if (by === undefined && recovery === undefined) return null;
  if (slotType !== 'password') throw refuse('by', TEXTS.unexpected('by'));
  if (by === undefined) throw refuse('by', TEXTS.required('by'));
  if (recovery === undefined) throw refuse('recovery', TEXTS.required('recovery'));
  if (recovery.slot !== null) checkSlot({ ...recovery.slot, slot_type: 'recovery' }, kdf);
  return recovery;
}

/**
 * Removes the used recovery slot, or replaces it.
 * @throws AppError `slot_conflict`
 */
export async function endUsedKit(tx: Transact, deps: Deps, { actor, origin }: Caller, used: UsedKit): Promise<void> {
  const { userId } = actor;
  const { version } = used;
  if (used.slot === null) {
    await deleteSlot(tx, { userId, slotType: 'recovery', version }).catch((error: unknown) => {
      // Another request has removed the slot meanwhile, so the used key no longer counts.
      const isGone = error instanceof AppError && error.code === 'not_found';
      throw isGone ? new AppError('slot_conflict', { details: { current_version: 0 } }) : error;
    });
  } else {
    const slot = storedSlot('recovery', used.slot);
    await storeSlot(tx, { userId, slot, version, now: deps.clock.now() });
    await recordEvent(tx, deps, { event_type: 'recovery_kit_made', actor, origin });
  }
  await recordEvent(tx, deps, { event_type: 'recovery_kit_used', actor, origin });
  await giveNotice(tx, deps, 'recovery key used', { to: actor, origin });
}

/** Removes a recovery slot. @throws AppError `not_found`, `slot_conflict`; `conflict` if the site requires a kit */
export async function removeOwnKit(
  context: Context<typeof removeSlot, undefined>,
  version: number,
): Promise<undefined> {
  const { deps, actor, origin, params } = context;
  if (params.slotType !== 'recovery') throw new AppError('not_found');
  const { recovery_kit } = await readSiteSettings(deps);
  if (recovery_kit === 'required') throw new AppError('conflict', { message: SERVER_TEXTS.kitRequired });
  await deps.db.transact(async (tx) => {
    await deleteSlot(tx, { userId: actor.userId, slotType: 'recovery', version });
    await recordEvent(tx, deps, { event_type: 'recovery_kit_removed', actor, origin });
    await giveNotice(tx, deps, 'recovery kit removed', { to: actor, origin });
  });
  return undefined;
}

export const storedSlot = (slotType: SlotType, { slot_id, kdf, salt_base64, blob_base64 }: SentSlot) => ({
  slot_id,
  slot_type: slotType,
  kdf,
  salt: Buffer.from(salt_base64, 'base64'),
  blob: Buffer.from(blob_base64, 'base64'),
});
