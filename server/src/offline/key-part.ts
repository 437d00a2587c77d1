/** What an application needs to unlock offline (docs/spec/crypto.md §16). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Actor, RequestContext } from '../http/context.ts';
import { releaseKeyBundle } from '../users/keys/key-bundle.ts';
import { enterFetch, keptBy, targetOf } from './applications/applications.ts';
import { findPasswordSlot, keyStateOf } from './key-state-repository.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

/** @throws AppError `not_found` without keys; as `keptBy` and `releaseKeyBundle` */
export async function releaseKeyPart(context: RequestContext, actor: Actor, applicationId: string | undefined) {
  const { deps } = context;
  const application = await keptBy(deps, actor, applicationId);
  if (!actor.hasKeys) throw new AppError('not_found');
  const bundle = await releaseKeyBundle(context, actor, application === null ? {} : { target: targetOf(application) });
  if (bundle.keyset === null) throw new AppError('not_found');
  const now = deps.clock.now();
  if (application !== null) {
    const columns = { key_state: stateOfBundle(bundle), key_fetched_at: now, updated_at: now };
    await deps.db.transactBeside((tx) => enterFetch(tx, application, columns));
  }
  const rsa_private_key_base64 = Buffer.from(JSON.stringify(bundle)).toString('base64');
  return { rsa_private_key_base64, timestamp: seconds(now) };
}

/** @throws AppError `not_found` without keys */
export async function passwordSalt({ deps }: RequestContext, actor: Actor) {
  const slot = await findPasswordSlot(deps.db, actor.userId);
  if (slot === undefined) throw new AppError('not_found');
  return { salt_base64: slot.salt.toString('base64'), kdf: slot.kdf, timestamp: seconds(deps.clock.now()) };
}

const stateOfBundle = ({ certificate, slots }: KeyBundle) =>
  keyStateOf(
    certificate?.fpr ?? '',
    slots.map(({ slot_type, version }) => ({ slot_type, version })),
  );
