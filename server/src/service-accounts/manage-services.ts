/** What owners and site admins do with service accounts. */
import type {
  serviceAccounts,
  ServiceAccount,
  updateService,
} from '@passwordbroker/core/contract/users/service-accounts';
import type { BodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { deleteAccount, findAccountInTransaction, updateUser } from '../accounts/account-repository.ts';
import { demandSiteAdmin } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { recordDeparture } from '../former-members/former-members.ts';
import type { Actor, Caller, Context, Deps } from '../http/context.ts';
import { noteLeaving } from '../notices/member-notices.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import { markOwnRotationsDue } from '../own-keys/rekey-repository.ts';
import { identityKey, isNameTaken } from '../users/user-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { asRefusal, demandManager, demandManagerInTransaction, readNetworks, readService } from './service-checks.ts';
import { asServiceAccounts, listServices, updateServiceRow } from './service-repository.ts';

/** One's own by name; site admins get all. Sorted in JavaScript: databases sort differently. */
export async function servicesPage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  query: QueryOf<typeof serviceAccounts>,
) {
  const sought = foldText(query.q ?? '');
  const rows = (await listServices(db.read, actor.isAdmin ? null : actor.userId))
    .filter(({ name }) => foldText(name).includes(sought))
    .sort((a, b) => compareTitles({ title: a.name, id: a.user_id }, { title: b.name, id: b.user_id }));
  const { offset, limit } = spanOf(query);
  const data = await asServiceAccounts(db.read, rows.slice(offset, offset + limit), clock.now());
  return pageOf(data, rows.length, query);
}

type Updating = Context<typeof updateService, BodyOf<typeof updateService>>;

/** @throws AppError `not_found`; `forbidden` to the owner for another owner, and for enabling what a site admin disabled; `validation` */
export async function updateServiceAccount(context: Updating): Promise<ServiceAccount> {
  const { deps, actor, origin, params, body } = context;
  const { name, description, disabled, owner_id } = body;
  await demandManager(deps.db.read, actor, params.id, 'manager');
  if (owner_id !== undefined && !actor.isAdmin) throw new AppError('forbidden');
  if (name !== undefined && (await isNameTaken(deps.db, identityKey(name), params.id))) {
    throw refuse('name', SIGN_UP_TEXTS.nameTaken);
  }
  const networks = body.allowed_networks === undefined ? {} : { allowed_networks: readNetworks(body.allowed_networks) };
  await deps.db
    .transact(async (tx) => {
      const before = await demandManagerInTransaction(tx, actor, params.id, 'manager');
      const now = deps.clock.now();
      if (owner_id !== undefined) {
        await demandSiteAdmin(tx, actor);
        const owner = await findAccountInTransaction(tx, owner_id);
        if (owner === undefined || owner.disabled_at !== null) throw refuse('owner_id', TEXTS.unknown('owner id'));
      }
      const isDisabled = before.disabled_at !== null;
      if (isDisabled && disabled === false && before.is_stopped === 1 && !actor.isAdmin)
        throw new AppError('forbidden', { message: SERVER_TEXTS.serviceStopped });
      const isSwitched = disabled !== undefined && disabled !== isDisabled;
      const disabled_at = disabled === undefined ? before.disabled_at : disabled ? (before.disabled_at ?? now) : null;
      const named = name === undefined ? {} : { name, name_key: identityKey(name) };
      await updateUser(tx, params.id, { ...named, disabled_at }, now);
      await updateServiceRow(tx, params.id, {
        ...(description === undefined ? {} : { description }),
        ...(owner_id === undefined ? {} : { owner_id, former_owner: null }),
        ...(isSwitched ? { is_stopped: disabled && actor.isAdmin ? 1 : 0 } : {}),
        ...networks,
      });
      const details = {
        name: name !== undefined && name !== before.name,
        networks: body.allowed_networks !== undefined,
        ...(disabled === undefined ? {} : { disabled }),
        ...(owner_id === undefined ? {} : { owner_id }),
      };
      const target = { target_type: 'user', target_id: params.id };
      await recordEvent(tx, deps, { event_type: 'service_changed', actor, origin, ...target, details });
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  return readService(deps, params.id);
}

/** Its groups become due for rotation, as after the deletion of a person. @throws AppError `not_found` */
export async function removeServiceAccount(deps: Deps, caller: Caller, userId: string): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    await demandManagerInTransaction(tx, caller.actor, userId, 'manager');
    await recordDeparture(tx, deps, { userId, cause: 'deleted' });
    await markOwnRotationsDue(tx, userId);
    await noteLeaving(tx, deps, caller.actor.userId, { userId, needsKeys: true });
    await deleteAccount(tx, userId);
    const target = { target_type: 'user', target_id: userId };
    const { actor, origin } = caller;
    await recordEvent(tx, deps, { event_type: 'service_deleted', actor, origin, ...target });
  });
  return undefined;
}
