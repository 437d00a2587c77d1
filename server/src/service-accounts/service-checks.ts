/** Checks that several calls about service accounts share. */
import type {
  addServiceCredential,
  createService,
  ServiceAccount,
} from '@passwordbroker/core/contract/users/service-accounts';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { isSlotShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { MACHINE_PROFILE } from '@passwordbroker/core/domain/keyring/service/service-credential';
import { SERVICE_LIMITS } from '@passwordbroker/core/domain/limits';
import { demandOwnSession } from '../accounts/change-account.ts';
import type { Database, Transact } from '../db/database.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Tables } from '../db/schema/tables.ts';
import { DAY } from '../http/auth/session.ts';
import type { Actor, Deps } from '../http/context.ts';
import { normaliseNetworks } from '../platform/networks.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { asServiceAccounts, findService, livingCredentials, type ServiceRow } from './service-repository.ts';

/**
 * @param who `manager`: the owner or a site admin
 * @throws AppError `not_found` for other people; `forbidden` for a site admin where only the owner may
 */
export async function demandManager(
  reader: Database['read'],
  actor: Pick<Actor, 'userId' | 'isAdmin'>,
  userId: string,
  who: 'manager' | 'owner',
): Promise<ServiceRow> {
  const row = await findService(reader, userId);
  const isOwner = row?.owner_id === actor.userId;
  if (row === undefined || !(isOwner || actor.isAdmin)) throw new AppError('not_found');
  if (who === 'owner' && !isOwner) throw new AppError('forbidden');
  return row;
}

/**
 * As `demandManager`, inside the transaction: another request may have ended the session, or made the caller no admin.
 * @throws AppError `unauthenticated`; as `demandManager`
 */
export async function demandManagerInTransaction(
  tx: Transact,
  actor: Pick<Actor, 'userId' | 'sessionId'>,
  userId: string,
  who: 'manager' | 'owner',
): Promise<ServiceRow> {
  const { is_admin } = await demandOwnSession(tx, actor);
  return demandManager(tx, { userId: actor.userId, isAdmin: is_admin === 1 }, userId, who);
}

/**
 * Repeats the check of the caller's credential inside the transaction: another request may have ended it.
 * @returns the living credentials of the account
 * @throws AppError `not_found` for another caller; `unauthenticated`
 */
export async function demandOwnCredential(
  tx: Transact,
  { service, userId, sessionId }: Pick<Actor, 'service' | 'userId' | 'sessionId'>,
  id: string,
  now: number,
) {
  if (service === null || userId !== id) throw new AppError('not_found');
  const living = await livingCredentials(tx, [id], now);
  const isDisabled = (await findService(tx, id))?.disabled_at !== null;
  if (isDisabled || !living.some(({ slot_id }) => slot_id === sessionId)) throw new AppError('unauthenticated');
  return living;
}

/** @throws AppError `not_found` */
export async function readService({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<ServiceAccount> {
  const row = await findService(db.read, userId);
  const [account] = row === undefined ? [] : await asServiceAccounts(db.read, [row], clock.now());
  if (account === undefined) throw new AppError('not_found');
  return account;
}

type SentCredential = BodyOf<typeof createService>['credential'] | BodyOf<typeof addServiceCredential>;

const HASH_BYTES = 32;

/**
 * Checks the structure of a credential (docs/spec/crypto.md §19).
 * @param place path in the body, for errors: '' or 'credential.'
 * @throws AppError `bad_sealed_value`
 */
export function newCredentialRow(
  userId: string,
  sent: SentCredential,
  place: '' | 'credential.',
  now: number,
): Tables['service_credentials'] {
  const { slot_id, blob_base64, token_sha256_base64, expires_in_days = SERVICE_LIMITS.usualDays } = sent;
  const malformed = (member: string) =>
    new AppError('bad_sealed_value', { errors: { [place + member]: [TEXTS.malformed(labelOf([member]))] } });
  const blob = Buffer.from(blob_base64, 'base64');
  const token_hash = Buffer.from(token_sha256_base64, 'base64');
  if (!isSlotShape(blob)) throw malformed('blob_base64');
  if (token_hash.length !== HASH_BYTES) throw malformed('token_sha256_base64');
  const times = { created_at: now, expires_at: now + expires_in_days * DAY };
  const unused = { last_used_at: null, last_address: null, ended_at: null, told_at: null };
  return { slot_id, user_id: userId, kdf: MACHINE_PROFILE, blob, token_hash, ...times, ...unused };
}

/** Joined by `, `. @throws AppError `validation` that names each wrong one */
export function readNetworks(networks: readonly string[]): string {
  const read = networks.map((network) => (/[\s,]/.test(network) ? null : normaliseNetworks(network)));
  const errors = read.flatMap((network, at) =>
    network === null || network === '' ? [[`allowed_networks.${at}`, [SERVER_TEXTS.noNetwork]] as const] : [],
  );
  if (errors.length > 0) throw new AppError('validation', { errors: Object.fromEntries(errors) });
  return read.join(', ');
}

/** Unique constraints detect concurrent changes. */
export function asRefusal(error: unknown): unknown {
  const taken = brokenUniqueness(error);
  if (taken === null) return error;
  return taken === 'users.name_key' ? refuse('name', SIGN_UP_TEXTS.nameTaken) : new AppError('id_taken');
}
