/** Wraps of the user key, each opened by one passkey (docs/spec/crypto.md §6). */
import type { storeWrap } from '@passwordbroker/core/contract/account/passkeys';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Transact } from '../db/database.ts';
import type { Caller, Context, Deps } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { checkPasskeySlot } from '../users/keys/key-bundle.ts';
import { readKeyBundle } from '../users/keys/key-repository.ts';
import { deleteWrap, findPasskey, listWrapVersions, writeWrap } from './passkey-repository.ts';

type Storing = Context<typeof storeWrap, BodyOf<typeof storeWrap>>;

/**
 * Stores or replaces the wrap of a passkey. `version` is that of the replaced wrap, 0 for none.
 * @throws AppError `not_found`; `conflict` for a passkey without PRF, or too many; `slot_conflict`, `id_taken`,
 * `bad_sealed_value`; `unauthenticated` if the session has ended
 */
export async function storeOwnWrap(context: Storing, version: number): Promise<KeyBundle> {
  const { deps, actor, origin, params, body } = context;
  const { passkeyId } = params;
  checkPasskeySlot(body.slot);
  await deps.db
    .transact(async (tx) => {
      await demandOwnSession(tx, actor);
      const passkey = await findPasskey(tx, actor.userId, passkeyId);
      if (passkey === undefined) throw new AppError('not_found');
      if (passkey.for_sign_in === 1 || passkey.for_factor === 1)
        throw new AppError('conflict', { message: SERVER_TEXTS.passkeysApart });
      const isUsable = passkey.has_prf === 1 && passkey.rp_id === deps.config.rpId;
      if (!isUsable) throw new AppError('conflict', { message: SERVER_TEXTS.passkeyCannotUnlock });
      const wraps = await listWrapVersions(tx, actor.userId);
      const current_version = wraps.find(({ passkey_id }) => passkey_id === passkeyId)?.version ?? 0;
      if (current_version !== version) throw new AppError('slot_conflict', { details: { current_version } });
      if (current_version === 0 && wraps.length >= LIMITS.passkeyWraps) {
        throw new AppError('conflict', { message: SERVER_TEXTS.tooManyUnlockPasskeys });
      }
      const { slot_id, kdf, salt_base64, blob_base64 } = body.slot;
      await writeWrap(tx, {
        slot_id,
        passkey_id: passkeyId,
        user_id: actor.userId,
        kdf,
        salt: Buffer.from(salt_base64, 'base64'),
        blob: Buffer.from(blob_base64, 'base64'),
        version: version + 1,
        created_at: deps.clock.now(),
      });
      await recordEvent(tx, deps, { event_type: 'unlock_passkey_added', actor, origin });
      await giveNotice(tx, deps, 'unlock passkey added', { to: actor, origin });
    })
    .catch((error: unknown) => {
      throw brokenUniqueness(error) === 'user_prf_slots.slot_id' ? new AppError('id_taken') : error;
    });
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  return bundle;
}

/** @throws AppError `not_found`, `slot_conflict` */
export async function removeOwnWrap(
  deps: Deps,
  caller: Caller,
  { passkeyId, version }: { readonly passkeyId: string; readonly version: number },
): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    const wraps = await listWrapVersions(tx, caller.actor.userId);
    const current_version = wraps.find(({ passkey_id }) => passkey_id === passkeyId)?.version;
    if (current_version === undefined) throw new AppError('not_found');
    if (current_version !== version) throw new AppError('slot_conflict', { details: { current_version } });
    await deleteWrap(tx, passkeyId);
    await recordWrapRemoved(tx, deps, caller);
  });
  return undefined;
}

export async function recordWrapRemoved(tx: Transact, deps: Deps, { actor, origin }: Caller): Promise<void> {
  await recordEvent(tx, deps, { event_type: 'unlock_passkey_removed', actor, origin });
  await giveNotice(tx, deps, 'unlock passkey removed', { to: actor, origin });
}
