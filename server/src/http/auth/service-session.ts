/** Finds the service account of a request with `Authorization: Bearer pbs_…` (docs/adr/0040-service-accounts.md). */
import { readBearer } from '@passwordbroker/core/domain/keyring/service/service-credential';
import type { Database, Transact } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';
import { admits } from '../../platform/networks.ts';
import { addressCounter, countJudged, isLimitReached, refuseTooMany } from '../../platform/passwords/attempts.ts';
import { addAttempt } from '../../platform/passwords/attempts-repository.ts';
import type { Actor, Deps } from '../context.ts';

type Note = (slotId: string, storedAt: number, touch: (tx: Transact, usedAt: number) => Promise<void>) => void;

export const isServiceToken = (secret: string): boolean => secret.startsWith('pbs_');

/** Null for an unknown, ended or expired credential, and while the site or an admin has switched it off. */
export async function findService(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  note: Note,
  secret: string,
  address: string,
): Promise<Actor | null> {
  const row = await findCredential(db, secret);
  if (row === undefined) return null;
  const isLiving = row.ended_at === null && clock.now() < row.expires_at && row.disabled_at === null;
  if (!isLiving || row.setting === 'off' || !admits(row.sign_in_networks ?? '', address)) return null;
  const isAddressAllowed = admits(row.allowed_networks, address);
  if (isAddressAllowed) {
    note(row.slot_id, row.last_used_at ?? 0, (tx, usedAt) => touchCredential(tx, row.slot_id, usedAt, address));
  }
  return {
    userId: row.user_id,
    name: row.name,
    // The audit log names the caller.
    email: row.name,
    isAdmin: false,
    isAuditor: false,
    serverCryptoOptOut: true,
    hasKeys: row.keyset_version > 0,
    scopes: ['read'],
    sessionId: row.slot_id,
    epoch: row.epoch,
    confirmedAt: 0,
    hasWeakPassword: false,
    // `me` leaves it out.
    method: 'password',
    factor: '',
    factorState: 'none',
    provider: null,
    service: { isAddressAllowed },
    restriction: null,
  };
}

/**
 * A token of no credential counts as a failed sign-in of its network, each token once in the window: a program that
 * keeps trying the token of a deleted account must not lock out the network. @throws AppError `too_many_requests`
 */
export async function countWrongToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  secret: string | null,
  address: string,
): Promise<void> {
  if (secret === null || !isServiceToken(secret) || (await findCredential(deps.db, secret)) !== undefined) return;
  const network = addressCounter({ address });
  const token = { ...network, key: `${network.key}:${secret}` };
  if (await isLimitReached(deps, { ...token, limit: { ...token.limit, max: 1 } })) return;
  await refuseTooMany(deps, network);
  await countJudged(deps, [token], undefined, async (tx, counts) => {
    if (counts.get(token.key) === 1) await addAttempt(tx, network.key, network.limit.windowMs, deps.clock.now());
  });
}

async function findCredential({ read }: Pick<Database, 'read'>, secret: string) {
  const bearer = readBearer(secret);
  if (bearer === null) return undefined;
  const row = await CREDENTIAL.first(read, { tokenHash: sha256(Buffer.from(bearer.token)) });
  return row?.slot_id === bearer.slotId ? row : undefined;
}

const CREDENTIAL = prepared((db, given: { readonly tokenHash: Buffer }) =>
  db
    .selectFrom('service_credentials')
    .innerJoin('service_accounts', 'service_accounts.user_id', 'service_credentials.user_id')
    .innerJoin('users', 'users.user_id', 'service_credentials.user_id')
    .select(['service_credentials.slot_id', 'ended_at', 'expires_at', 'last_used_at', 'allowed_networks'])
    .select(['users.user_id', 'users.name', 'users.epoch', 'users.keyset_version', 'users.disabled_at'])
    .select((eb) => eb.selectFrom('site_settings').select('value').where('name', '=', 'service_accounts').as('setting'))
    .select((eb) =>
      eb.selectFrom('site_settings').select('value').where('name', '=', 'sign_in_networks').as('sign_in_networks'),
    )
    .where('service_credentials.token_hash', '=', given.tokenHash),
);

async function touchCredential(tx: Transact, slotId: string, usedAt: number, address: string): Promise<void> {
  await TOUCH.all(tx, { slotId, usedAt, address });
}

const TOUCH = prepared((db, given: { readonly slotId: string; readonly usedAt: number; readonly address: string }) =>
  db
    .updateTable('service_credentials')
    .set({ last_used_at: given.usedAt, last_address: given.address })
    .where('slot_id', '=', given.slotId),
);
