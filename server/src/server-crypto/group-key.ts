import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { type GroupKeysWire, openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { hashRoster, verifyRoster } from '@passwordbroker/core/domain/rosters/roster';
import {
  type KeyCommitments,
  type LinkedRoster,
  commitmentsOf,
  linkBack,
} from '@passwordbroker/core/domain/rosters/roster-chain';
import { openGroupVersions } from '@passwordbroker/core/domain/groups/rotation';
import type { Deps } from '../http/context.ts';
import type { GroupInPath } from '../http/auth/path-repository.ts';
import type { AcceptedGroup } from './trust/judged-group.ts';
import type { Database, Transact } from '../db/database.ts';
import { asGrant, asRoster } from '../groups/group-answers.ts';
import { listOwnGrants, listRosters, undisturbed } from '../groups/key-repository.ts';

/**
 * The key of one version, for reading; null without a grant. @throws CryptoError if list and grant do not
 * match
 */
export async function openKeyOfVersion(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  { entry_group_id: groupId }: Pick<GroupInPath, 'entry_group_id'>,
  version: number,
): Promise<GroupKey | null> {
  const wire = await readGroupKeys(deps.db, groupId, keyring.userId);
  if (wire.gk_version === version) return openPresent(keyring, groupId, wire);
  if (!wire.grants.some(({ gk_version }) => gk_version === version)) return null;
  const { keys } = await openFormerKeys(deps, keyring, groupId, wire);
  const key = keys.get(version);
  if (key === undefined) throw new CryptoError('grant');
  return key;
}

/**
 * Keys by version that the caller has a grant of and a list commits to.
 * @param withUncommitted also those of release 1.0 from before the first list: for a requested rotation
 */
export async function openAllKeys(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  { groupId, groupKey, rows: { answer } }: AcceptedGroup,
  { withUncommitted }: { readonly withUncommitted: boolean },
): Promise<ReadonlyMap<number, GroupKey>> {
  const present = [groupKey.version, groupKey] as const;
  if (answer.grants.length === 1) return new Map([present]);
  const { keys, uncommitted } = await openFormerKeys(deps, keyring, groupId, {
    ...answer,
    rosters: answer.rosters.slice(-1),
  });
  const taken = [...keys].filter(([version]) => withUncommitted || !uncommitted.includes(version));
  return new Map([...taken, present]);
}

async function openPresent(keyring: Keyring, groupId: string, wire: GroupKeysWire): Promise<GroupKey> {
  const gkVersion = wire.gk_version;
  const { groupKey } = await openGroup(keyring, wire, groupId);
  // An older roster would make new values use the old key.
  if (groupKey.version !== gkVersion) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: gkVersion } });
  }
  return groupKey;
}

/** Null for a group made by the server. @throws CryptoError `roster` */
async function newestRoster(wire: GroupKeysWire, groupId: string): Promise<LinkedRoster | null> {
  const newest = wire.rosters.at(-1);
  if (newest === undefined && wire.origin === 'client') throw new CryptoError('roster');
  if (newest === undefined) return null;
  const content = await verifyRoster(newest, groupId);
  return { content, hash: await hashRoster(decodeBase64(newest.roster_base64)) };
}

async function openFormerKeys(deps: Pick<Deps, 'db'>, keyring: Keyring, groupId: string, wire: GroupKeysWire) {
  const oldest = Math.min(...wire.grants.map(({ gk_version }) => gk_version));
  const commitments = await readCommitments(deps, groupId, wire, oldest);
  const group = { groupId, grants: wire.grants, gkVersion: wire.gk_version };
  const opened = await openGroupVersions(keyring, group, commitments);
  if (opened.isProofBroken) throw new CryptoError('roster');
  return opened;
}

const ROSTERS_AT_ONCE = 20;

/** Back to `version`, verified by hash links. */
async function readCommitments(
  deps: Pick<Deps, 'db'>,
  groupId: string,
  wire: GroupKeysWire,
  version: number,
): Promise<KeyCommitments | null> {
  const newest = await newestRoster(wire, groupId);
  if (newest === null) return null;
  let linked = [newest];
  let wires = wire.rosters;
  for (;;) {
    const [first] = linked;
    if (first === undefined || first.content.seq === 0 || first.content.gkVersion <= version) break;
    const before = await listRostersBefore(deps.db, groupId, { seq: first.content.seq, limit: ROSTERS_AT_ONCE });
    wires = [...before, ...wires];
    // The last of these is the wire of `first`.
    const longer = await linkBack(first, wires.slice(0, before.length + 1));
    wires = wires.slice(before.length + 1 - longer.length);
    if (longer.length === 1) break;
    linked = [...longer.slice(0, -1), ...linked];
  }
  return commitmentsOf(linked, wires);
}

async function readGroupKeys(db: Database, groupId: string, userId: string): Promise<GroupKeysWire> {
  return undisturbed(db, groupId, async ({ gk_version, origin }) => {
    const [grants, rosters] = await Promise.all([
      listOwnGrants(db, groupId, userId),
      listRosters(db, groupId, undefined),
    ]);
    return { gk_version, origin, rosters: rosters.map(asRoster), grants: grants.map(asGrant) };
  });
}

/** Ascending, without certificates. */
async function listRostersBefore(
  db: Database,
  groupId: string,
  { seq, limit }: { readonly seq: number; readonly limit: number },
): Promise<GroupKeysWire['rosters']> {
  const rows = await db.read
    .selectFrom('group_rosters')
    .select(['bytes', 'sig', 'proof', 'proof_prev'])
    .where('entry_group_id', '=', groupId)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.toReversed().map((row) => ({
    roster_base64: row.bytes.toString('base64'),
    roster_sig_base64: row.sig.toString('base64'),
    roster_proof_base64: row.proof?.toString('base64') ?? null,
    roster_proof_prev_base64: row.proof_prev?.toString('base64') ?? null,
    signer_certificate: null,
  }));
}

/** @returns whether it is the first time for these keys */
export async function markExposed(tx: Transact, userId: string, now: number): Promise<boolean> {
  const before = await tx.selectFrom('users').select('mp_exposed_at').where('user_id', '=', userId).executeTakeFirst();
  await tx.updateTable('users').set({ mp_exposed_at: now }).where('user_id', '=', userId).execute();
  return before?.mp_exposed_at === null;
}
