/** New service accounts, and new keys after a loss. */
import type {
  createService,
  renewServiceKeys,
  ServiceAccount,
} from '@passwordbroker/core/contract/users/service-accounts';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { dropKeys } from '../accounts/account-repository.ts';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { recordDeparture } from '../former-members/former-members.ts';
import type { Context, RequestContext } from '../http/context.ts';
import { noteLeaving } from '../notices/member-notices.ts';
import { findPresentKeys, markOwnRotationsDue } from '../own-keys/rekey-repository.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { checkServiceKeys } from '../users/keys/key-bundle.ts';
import { insertKeys } from '../users/keys/key-repository.ts';
import { identityKey, insertUser, isNameTaken } from '../users/user-repository.ts';
import {
  asRefusal,
  demandManager,
  demandManagerInTransaction,
  newCredentialRow,
  readNetworks,
  readService,
} from './service-checks.ts';
import {
  endAllCredentials,
  insertCredential,
  insertService,
  listGroupsOf,
  updateServiceRow,
} from './service-repository.ts';

/** @throws AppError `forbidden` by the policy of the site */
export async function mayCreate({ deps, actor }: RequestContext): Promise<void> {
  const { service_accounts: policy } = await readSiteSettings(deps);
  if (policy === 'off') throw new AppError('forbidden', { message: SERVER_TEXTS.servicesOff });
  if (policy === 'admins' && actor?.isAdmin !== true)
    throw new AppError('forbidden', { message: SERVER_TEXTS.servicesByAdmins });
}

type Creating = Context<typeof createService, BodyOf<typeof createService>>;

/**
 * The caller becomes the owner.
 * @throws AppError `unauthenticated`, `validation`, `bad_sealed_value`, `id_taken`
 */
export async function createServiceAccount(context: Creating): Promise<ServiceAccount> {
  const { deps, actor, origin, body } = context;
  const { user_id, name, description = '', key_bundle: bundle } = body;
  if (await isNameTaken(deps.db, identityKey(name))) throw refuse('name', SIGN_UP_TEXTS.nameTaken);
  const allowed_networks = readNetworks(body.allowed_networks ?? []);
  const identity = await checkServiceKeys(bundle, { userId: user_id, former: null });
  const now = deps.clock.now();
  const credential = newCredentialRow(user_id, body.credential, 'credential.', now);
  await deps.db
    .transact(async (tx) => {
      await demandOwnSession(tx, actor);
      await insertUser(tx, {
        user_id,
        name,
        name_key: identityKey(name),
        email: '',
        email_key: `service ${user_id}`,
        password_hash: deps.accountPasswords.unusable(),
        is_admin: 0,
        first_user: null,
        epoch: 1,
        mp_exposed_at: null,
        must_rekey: 0,
        server_crypto_opt_out: 1,
        keyset_version: identity.keysetVersion,
        created_at: now,
        updated_at: now,
        disabled_at: null,
        is_auditor: 0,
        factor_state: 'none',
        factor_due_at: null,
        has_password: 0,
        must_link: 0,
        break_glass: 0,
        kind: 'service',
      });
      const owned = { owner_id: actor.userId, former_owner: null, credential_due: 0, is_stopped: 0 } as const;
      await insertService(tx, { user_id, description, allowed_networks, ...owned });
      await insertKeys(tx, user_id, { ...bundle, slots: [] }, identity.fingerprint, now);
      await insertCredential(tx, credential);
      const details = { slot_id: credential.slot_id, expires_at: new Date(credential.expires_at).toISOString() };
      const target = { target_type: 'user', target_id: user_id };
      await recordEvent(tx, deps, { event_type: 'service_created', actor, origin, ...target, details });
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  return readService(deps, user_id);
}

type Renewing = Context<typeof renewServiceKeys, BodyOf<typeof renewServiceKeys>>;

/**
 * Ends all credentials, grants and memberships; the groups become due for rotation.
 * @throws AppError as `demandManagerInTransaction`; `bad_sealed_value`, `id_taken`
 */
export async function renewKeys(context: Renewing): Promise<AnswerOf<typeof renewServiceKeys>> {
  const { deps, actor, origin, params, body } = context;
  const { id } = params;
  const present = await findPresentKeys(deps.db.read, id);
  const { keyset_version: version = 0 } = present ?? {};
  await demandManager(deps.db.read, actor, id, 'owner');
  const former = { version, fingerprint: present?.fpr ?? '', ed25519: Buffer.alloc(0), isTrusted: false };
  const identity = await checkServiceKeys(body.key_bundle, { userId: id, former });
  const now = deps.clock.now();
  const credential = newCredentialRow(id, body.credential, 'credential.', now);
  const groups = await deps.db
    .transact(async (tx) => {
      await demandManagerInTransaction(tx, actor, id, 'owner');
      if ((await findPresentKeys(tx, id))?.keyset_version !== version) {
        throw new AppError('slot_conflict', { details: { current_version: version } });
      }
      const given = await listGroupsOf(tx, id);
      await recordDeparture(tx, deps, { userId: id, cause: 'reset' });
      await markOwnRotationsDue(tx, id);
      await noteLeaving(tx, deps, actor.userId, { userId: id, needsKeys: true });
      await dropKeys(tx, id, now);
      await endAllCredentials(tx, id, now);
      await insertKeys(tx, id, { ...body.key_bundle, slots: [] }, identity.fingerprint, now);
      await tx.updateTable('users').set({ keyset_version: identity.keysetVersion }).where('user_id', '=', id).execute();
      await insertCredential(tx, credential);
      await updateServiceRow(tx, id, { credential_due: 0 });
      const target = { target_type: 'user', target_id: id };
      const details = { keyset_version: identity.keysetVersion };
      await recordEvent(tx, deps, { event_type: 'keys_reset', actor, origin, ...target, details });
      return given;
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  return { account: await readService(deps, id), groups };
}
