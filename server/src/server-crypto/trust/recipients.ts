import { AppError } from '@passwordbroker/core/contract/problem';
import { followCertificates, type KeyChain } from '@passwordbroker/core/domain/keyring/certificate';
import type { SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import { continueMembers } from '@passwordbroker/core/domain/groups/member-change';
import { verifyRoster } from '@passwordbroker/core/domain/rosters/roster';
import { verdictByRecord } from '@passwordbroker/core/domain/trust/key-verdict';
import {
  decidedKeysOf,
  removedFrom,
  withDecidedKey,
  withRenewedKey,
} from '@passwordbroker/core/domain/trust/trust-record';
import type { Database } from '../../db/database.ts';
import { listCertificates } from '../../users/keys/key-repository.ts';
import type { AcceptedGroup, TrustingCaller } from './judged-group.ts';
import { findName, type ListedMember, listMembersWithKeys, readGroupRows } from './judging-repository.ts';

interface ListedChain {
  readonly listed: ListedMember;
  readonly chain: KeyChain;
}

/**
 * People on the group's list who are still members, in the roles of the list.
 * @throws AppError `key_changed` unless the present key follows from the list's, `group_disputed` for a
 * person whom the caller removed, `rewrap_set_mismatch` for one without keys
 */
export async function continuedMembers(caller: TrustingCaller, group: AcceptedGroup): Promise<readonly SignedMember[]> {
  const { keyring, trust } = caller;
  const { newest } = group;
  if (newest === null) return [];
  const record = await trust.record();
  const chains = (await listChains(caller, group)).map(({ chain }) => chain);
  const { members, unsure } = continueMembers(newest.content, chains, (chain) =>
    verdictByRecord(chain, record, keyring),
  );
  if (unsure.length > 0) throw keyChanged(unsure);
  return members;
}

/** As `continuedMembers`, for wrapping. @throws AppError `member_unverified` if only compared keys count */
export async function recipientsOf(caller: TrustingCaller, group: AcceptedGroup): Promise<readonly SignedMember[]> {
  const members = await continuedMembers(caller, group);
  await requireCompared(
    caller,
    members.map(({ identity }) => ({ identity, fingerprints: [identity.fingerprint] })),
  );
  return members;
}

/**
 * All members of an unsigned group; trusts each new key. @throws AppError `key_changed`, `member_unverified`,
 * `group_disputed`, `rewrap_set_mismatch`
 */
export async function unsignedMembers(caller: TrustingCaller, group: AcceptedGroup): Promise<readonly SignedMember[]> {
  const listed = await listChains(caller, group);
  for (const { chain, listed: person } of listed) await meet(caller, chain, person.name);
  return listed.map(({ chain: { identity }, listed: { role } }) => ({ identity, role }));
}

/**
 * People on the newest list, or without one the members; uses no trust record.
 * @throws AppError `key_changed`, `rewrap_set_mismatch`; CryptoError `roster` for a list that does not verify
 */
export async function listedMembers(db: Database, groupId: string, userId: string): Promise<readonly SignedMember[]> {
  const chains = await chainsOf(await listMembersWithKeys(db, groupId));
  const { answer } = await readGroupRows(db, { groupId, userId, from: null });
  const newest = answer.rosters.at(-1);
  if (newest === undefined) return chains.map(({ chain: { identity }, listed: { role } }) => ({ identity, role }));
  const content = await verifyRoster(newest, groupId);
  const present = chains.map(({ chain }) => chain);
  const { members, unsure } = continueMembers(content, present, () => 'not-compared');
  if (unsure.length > 0) throw keyChanged(unsure);
  return members;
}

async function listChains(
  { deps, trust }: TrustingCaller,
  { groupId }: Pick<AcceptedGroup, 'groupId'>,
): Promise<ListedChain[]> {
  const members = await listMembersWithKeys(deps.db, groupId);
  const row = (await trust.record()).groups[groupId];
  const out = new Set(row === undefined ? [] : removedFrom(row));
  if (members.some(({ userId }) => out.has(userId))) {
    throw new AppError('group_disputed', { details: { why: 'returned' } });
  }
  return chainsOf(members);
}

const chainsOf = (members: readonly ListedMember[]): Promise<ListedChain[]> =>
  Promise.all(
    members.map(async (listed) => {
      if (listed.present === null) throw new AppError('rewrap_set_mismatch');
      return { listed, chain: await followCertificates(listed.present, listed.certificates) };
    }),
  );

/**
 * A future member's key; trusted if the record has none.
 * @param expected fingerprint that the request names
 * @throws AppError `key_changed` if it differs or contradicts the record, `member_unverified`,
 * `rewrap_set_mismatch` without keys
 */
export async function newMember(
  caller: TrustingCaller,
  userId: string,
  expected: string | undefined,
): Promise<SignedMember['identity']> {
  const certificates = await listCertificates(caller.deps.db, userId);
  const [present] = certificates;
  if (present === undefined) throw new AppError('rewrap_set_mismatch');
  const chain = await followCertificates(present, certificates);
  if (expected !== undefined && expected !== chain.identity.fingerprint) throw keyChanged([userId]);
  await meet(caller, chain, await findName(caller.deps.db, userId));
  return chain.identity;
}

/** Records a first key, or one that the decided key signed. @throws as `newMember` */
async function meet(caller: TrustingCaller, chain: KeyChain, name: string): Promise<void> {
  const { keyring, trust } = caller;
  const { userId, fingerprint } = chain.identity;
  const record = await trust.record();
  if (verdictByRecord(chain, record, keyring) === 'refuted') throw keyChanged([userId]);
  if (userId === keyring.userId) return;
  await requireCompared(caller, [chain]);
  const decided = decidedKeysOf(record, userId);
  if (decided.length === 1 && decided[0] === fingerprint) return;
  const key = { userId, name, fingerprint };
  trust.change((present, now) =>
    decided.length === 0 ? withDecidedKey(present, key, 'api', now) : withRenewedKey(present, key, now),
  );
}

async function requireCompared({ keyring, trust }: TrustingCaller, chains: readonly KeyChain[]): Promise<void> {
  const record = await trust.record();
  if (!trust.isStrict()) return;
  const unsure = chains.filter((chain) => verdictByRecord(chain, record, keyring) !== 'compared');
  const user_ids = unsure.map(({ identity }) => identity.userId);
  if (user_ids.length > 0) throw new AppError('member_unverified', { details: { user_ids } });
}

const keyChanged = (user_ids: readonly string[]) => new AppError('key_changed', { details: { user_ids } });
