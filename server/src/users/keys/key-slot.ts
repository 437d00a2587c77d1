import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type { SlotType, removeSlot, replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import { brokenUniqueness } from '../../db/failures.ts';
import type { Context, RequestContext } from '../../http/context.ts';
import { giveNotice } from '../../mail/notices.ts';
import { checkSlot } from './key-bundle-check.ts';
import { readKeyBundle } from './key-repository.ts';
import { deleteSlot, storeSlot } from './slot-repository.ts';

type Replacing = Context<typeof replaceSlot, BodyOf<typeof replaceSlot>>;

const VERSION = /^(?:"(\d{1,9})"|(\d{1,9}))$/;

/** From `If-Match`, 0 for none. @throws AppError `bad_request` */
export function replacedVersion({ header }: Pick<RequestContext, 'header'>): number {
  const match = VERSION.exec(header('if-match') ?? '');
  if (match === null) throw new AppError('bad_request');
  return Number(match[1] ?? match[2]);
}

/** @throws AppError `not_found`, `bad_sealed_value`, `slot_conflict`, `id_taken` */
export async function replaceOwnSlot(context: Replacing): Promise<KeyBundle> {
  const { deps, actor, origin, params, body } = context;
  const slotType = slotTypeOf(params.slotType);
  checkSlot({ ...body.slot, slot_type: slotType }, deps.kdf);
  const { slot_id, kdf, salt_base64, blob_base64 } = body.slot;
  const slot = { slot_id, slot_type: slotType, kdf, salt: bytesOf(salt_base64), blob: bytesOf(blob_base64) };
  const version = replacedVersion(context);
  await deps.db
    .transact(async (tx) => {
      await storeSlot(tx, { userId: actor.userId, slot, version, now: deps.clock.now() });
      await recordEvent(tx, deps, { event_type: 'keys_changed', actor, origin, details: { slot: slotType } });
      if (slotType === 'password') await giveNotice(tx, deps, 'master password changed', { to: actor, origin });
    })
    .catch((error: unknown) => {
      throw brokenUniqueness(error) === 'user_key_slots.slot_id' ? new AppError('id_taken') : error;
    });
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  return bundle;
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

function slotTypeOf(text: string): SlotType {
  if (text === 'password' || text === 'recovery') return text;
  throw new AppError('not_found');
}

/** Recovery slots only. @throws AppError `not_found`, `slot_conflict` */
export async function removeOwnSlot(context: Context<typeof removeSlot, undefined>): Promise<undefined> {
  const { deps, actor, origin, params } = context;
  const version = replacedVersion(context);
  if (params.slotType !== 'recovery') throw new AppError('not_found');
  await deps.db.transact(async (tx) => {
    await deleteSlot(tx, { userId: actor.userId, slotType: 'recovery', version });
    await recordEvent(tx, deps, { event_type: 'keys_changed', actor, origin, details: { slot: 'recovery' } });
  });
  return undefined;
}
