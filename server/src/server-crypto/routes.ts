/** Plain form only: clients with keys do this themselves. */
import { decrypted, historyDecrypted } from '@passwordbroker/core/contract/entries/fields';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { changeMasterPassword, trustGroup, trustKey } from '@passwordbroker/core/contract/account/own-keys';
import { refuse, AppError } from '@passwordbroker/core/contract/problem';
import { on, type Route } from '../http/route.ts';
import { changeOwnMasterPassword, newMasterPasswordTexts } from './new-master-password.ts';
import { trustGroupWithMasterPassword } from './trust/go-on.ts';
import { revealHistory, revealValue } from './fields/decrypted.ts';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import { withDecidedKey } from '@passwordbroker/core/domain/trust/trust-record';
import { recordEvent } from '../audit/audit-log.ts';
import type { Context } from '../http/context.ts';
import { withCallerKeyring } from './caller-keyring.ts';
import { findName, listEveryCertificate } from './trust/judging-repository.ts';

function refuseSealed(): never {
  throw refuse('key_bundle', TEXTS.unexpected('key bundle'));
}

export const routes: readonly Route[] = [
  on(trustKey, { plain: trustKeyWithMasterPassword }),
  on(trustGroup, { plain: trustGroupWithMasterPassword }),
  on(decrypted, { plain: revealValue }),
  on(historyDecrypted, { plain: revealHistory }),
  on(
    changeMasterPassword,
    { sealed: refuseSealed, plain: changeOwnMasterPassword },
    { plainTexts: newMasterPasswordTexts },
  ),
];

/**
 * Confirms a person's key with a master password, as the dialogs of the web client do.
 * @throws AppError `not_found` unless a certificate of the person has this fingerprint, `validation` for
 * oneself; as `withCallerKeyring`
 */
async function trustKeyWithMasterPassword(
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
