/** The credentials of service accounts: rotation, end, and the mail before they expire. */
import type {
  addServiceCredential,
  endServiceCredential,
  ServiceAccount,
} from '@passwordbroker/core/contract/users/service-accounts';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SERVICE_LIMITS } from '@passwordbroker/core/domain/limits';
import { BY_ITSELF, recordEvent } from '../audit/audit-log.ts';
import type { Context, Deps } from '../http/context.ts';
import { DAY, HOUR } from '../http/auth/session.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import {
  asRefusal,
  demandManagerInTransaction,
  demandOwnCredential,
  newCredentialRow,
  readService,
} from './service-checks.ts';
import {
  endCredential,
  insertCredential,
  listExpiring,
  markTold,
  shortenOthers,
  updateServiceRow,
} from './service-repository.ts';

type Adding = Context<typeof addServiceCredential, BodyOf<typeof addServiceCredential>>;

/**
 * For the service account itself.
 * @throws AppError as `demandOwnCredential`; `conflict` if two credentials live; `bad_sealed_value`, `id_taken`
 */
export async function addCredential(context: Adding): Promise<ServiceAccount> {
  const { deps, actor, origin, params, body } = context;
  const { id } = params;
  const now = deps.clock.now();
  const row = newCredentialRow(id, body, '', now);
  await deps.db
    .transact(async (tx) => {
      const living = await demandOwnCredential(tx, actor, id, now);
      if (living.length >= SERVICE_LIMITS.credentials) {
        throw new AppError('conflict', { message: SERVER_TEXTS.serviceCredentials });
      }
      await insertCredential(tx, row);
      await shortenOthers(tx, id, row.slot_id, now + (body.end_others_in_hours ?? 0) * HOUR);
      await updateServiceRow(tx, id, { credential_due: 0 });
      const details = { slot_id: row.slot_id, expires_at: new Date(row.expires_at).toISOString() };
      const target = { target_type: 'user', target_id: id };
      await recordEvent(tx, deps, { event_type: 'service_credential_added', actor, origin, ...target, details });
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  return readService(deps, id);
}

/** @throws AppError `not_found` */
export async function endOne({ deps, actor, origin, params }: Context<typeof endServiceCredential, undefined>) {
  const { id, slotId } = params;
  await deps.db.transact(async (tx) => {
    const now = deps.clock.now();
    if (actor.service === null) await demandManagerInTransaction(tx, actor, id, 'manager');
    else await demandOwnCredential(tx, actor, id, now);
    if (!(await endCredential(tx, id, slotId, now))) throw new AppError('not_found');
    const target = { target_type: 'user', target_id: id, details: { slot_id: slotId } };
    await recordEvent(tx, deps, { event_type: 'service_credential_ended', actor, origin, ...target });
  });
  return undefined;
}

const TOLD_BEFORE = 14 * DAY;

/** One mail to the owner for each credential without a successor, 14 days before it expires. */
export async function tellOfExpiry(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (const { slot_id, service, expires_at, ...to } of await listExpiring(deps.db.read, now, now + TOLD_BEFORE)) {
    const about = `${service}, until ${new Date(expires_at).toISOString().slice(0, 10)}`;
    await deps.db.transactBeside(async (tx) => {
      if (!(await markTold(tx, slot_id, now))) return;
      await giveNotice(tx, deps, 'service credential ends', { to, origin: BY_ITSELF, by: null, about });
    });
  }
}
