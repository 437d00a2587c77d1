import type { trustKey } from '@passwordbroker/core/contract/account/own-keys';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import { withDecidedKey } from '@passwordbroker/core/domain/trust/trust-record';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Context } from '../../http/context.ts';
import { withCallerKeyring } from '../caller-keyring.ts';
import { findName, listEveryCertificate } from './judging-repository.ts';

/**
 * Confirms a person's key. @throws AppError `not_found` unless a certificate has this fingerprint,
 * `validation` for oneself; as `withCallerKeyring`
 */
export async function trustKeyWithMasterPassword(
  context: Context<typeof trustKey, BodyOf<typeof trustKey>>,
): Promise<AnswerOf<typeof trustKey>> {
  const { actor, origin, body } = context;
  const { user_id, fpr, compared = false } = body;
  if (user_id === actor.userId) throw refuse('user_id', TEXTS.unexpected('user id'));
  return withCallerKeyring(context, body.master_password, async ({ deps, trust }) => {
    const certificate = (await listEveryCertificate(deps.db, [user_id])).find((one) => one.fpr === fpr);
    const identity = await verifyCertificate(certificate ?? null).catch(() => null);
    if (identity === null) throw new AppError('not_found');
    const name = await findName(deps.db, user_id);
    await trust.record();
    const way = compared ? 'words' : 'api';
    trust.change((record, now) =>
      withDecidedKey(record, { userId: user_id, name, fingerprint: identity.fingerprint }, way, now),
    );
    const how = (await trust.record()).users[user_id]?.keys[fpr]?.[0] ?? way;
    await deps.db.transact((tx) =>
      recordEvent(tx, deps, {
        event_type: 'trust_changed',
        actor,
        origin,
        target_type: 'user',
        target_id: user_id,
        details: { fpr },
      }),
    );
    return { user_id, fpr, how };
  });
}
