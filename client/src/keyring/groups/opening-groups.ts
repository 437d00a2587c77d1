/** Opens a group from the server's answer and judges it by the trust record. */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Follow, CertificateWire } from '@passwordbroker/core/domain/keyring/certificate';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { openGroupUnder, type GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import { type LinkedRoster, commitmentsOf, linkBack } from '@passwordbroker/core/domain/rosters/roster-chain';
import { judgeGroup, type ShownGroup, type TrustMemory } from '@passwordbroker/core/domain/trust/judge-group';
import { type GroupToRead, readGroup } from '@passwordbroker/core/domain/trust/shown-group';
import { decidedKeysOf } from '@passwordbroker/core/domain/trust/trust-record';
import type { HeldGroup } from './held-group.ts';
import { openGroupVersions } from '@passwordbroker/core/domain/groups/rotation';

interface Opening {
  readonly keyring: Keyring;
  readonly memory: TrustMemory;
  readonly group: {
    readonly groupId: string;
    /** Empty: unknown. */
    readonly path: readonly string[];
    readonly answer: GroupToRead['answer'];
    readonly certificates: readonly CertificateWire[];
  };
  readonly follow: Follow;
  /** A disputed list still opens for reading, because the copy may be older than the record. */
  readonly isCopy?: boolean;
}

/** Bad data locks or disputes the group. @throws CryptoError `locked` */
export async function openHeldGroup({ keyring, memory, group, follow, isCopy }: Opening): Promise<HeldGroup> {
  const { groupId, answer } = group;
  const { shown, linked, groupKey } = await readGroup(keyring, { ...group, follow });
  const trust = judgeGroup(shown, memory);
  const newest = linked.at(-1) ?? null;
  const common = {
    groupId,
    shown,
    trust,
    linked,
    wires: answer.rosters.slice(answer.rosters.length - linked.length),
    uncommitted: new Set<number>(),
    hasOlder: false,
    gkVersion: answer.gk_version,
    grants: answer.grants,
  };
  const held = (base: LinkedRoster | null, key: GroupKey | null): HeldGroup => ({
    ...common,
    base,
    version: key?.version ?? answer.gk_version,
    keys: key === null ? new Map() : new Map([[key.version, key]]),
  });
  if (trust.state === 'locked') return held(null, null);
  if (trust.state !== 'disputed' || trust.why === 'record' || isCopy === true) return held(newest, groupKey);
  const heads = Object.keys(memory.record?.groups[groupId]?.heads ?? {});
  const accepted = await openAccepted(keyring, group, heads);
  if (accepted !== null) return held(accepted.base, accepted.key);
  // A restored server may lack the accepted list. Reading shares nothing, so a known signer is enough.
  const isRestored = trust.why === 'rolled-back' || trust.why === 'forked';
  return isRestored && isKnownSigner(shown, memory) ? held(newest, groupKey) : held(null, null);
}

function isKnownSigner({ lists }: ShownGroup, { record, self }: TrustMemory): boolean {
  const newest = lists === 'broken' ? undefined : lists.at(-1);
  if (newest === undefined || record === null) return false;
  const { signer } = newest.content;
  const keys = newest.signedBy ?? [];
  if (signer === self.userId) return keys.includes(self.fingerprint);
  const decided = decidedKeysOf(record, signer);
  return decided.length > 0 && decided.every((known) => keys.includes(known));
}

/** The highest accepted list that the server still shows. */
async function openAccepted(
  keyring: Keyring,
  { groupId, answer }: Opening['group'],
  heads: readonly string[],
): Promise<{ readonly base: LinkedRoster; readonly key: GroupKey } | null> {
  for (const wire of answer.rosters.toReversed()) {
    try {
      const bytes = decodeBase64(wire.roster_base64);
      const hash = await hashRoster(bytes);
      if (!heads.includes(hash)) continue;
      const content = readRoster(bytes);
      const place = { groupId, gkVersion: answer.gk_version, grants: answer.grants };
      const { groupKey } = await openGroupUnder(keyring, { content, wire }, place);
      return { base: { content, hash }, key: groupKey };
    } catch (failure) {
      if (!(failure instanceof CryptoError) || failure.code === 'locked') throw failure;
    }
  }
  return null;
}

/**
 * Opens the versions whose commitment and key proofs the base list reaches by hashes.
 * @param answer all lists, with the own grants
 * @throws CryptoError `roster` for contradictory lists; `locked`
 */
export async function withOlderVersions(
  keyring: Keyring,
  group: HeldGroup,
  answer: Pick<GroupKeysWire, 'rosters' | 'grants'>,
): Promise<HeldGroup> {
  const { groupId, base, keys, gkVersion } = group;
  if (keys.size === 0) return { ...group, hasOlder: true };
  const linked = base === null ? null : await linkedFrom(base, answer.rosters);
  const commitments = linked === null ? null : commitmentsOf(linked.rosters, linked.wires);
  const older = await openGroupVersions(keyring, { groupId, grants: answer.grants, gkVersion }, commitments);
  if (older.isProofBroken) return withWrongProof(group);
  return { ...group, keys: new Map([...older.keys, ...keys]), uncommitted: new Set(older.uncommitted), hasOlder: true };
}

/** A rotation has no valid proof under the former secret. */
function withWrongProof(group: HeldGroup): HeldGroup {
  const shown = { ...group.shown, proof: 'wrong' as const };
  return { ...group, shown, trust: { state: 'locked', why: 'proof' }, base: null, keys: new Map(), hasOlder: true };
}

interface Linked {
  readonly rosters: readonly LinkedRoster[];
  readonly wires: GroupKeysWire['rosters'];
}

async function linkedFrom(base: LinkedRoster, wires: GroupKeysWire['rosters']): Promise<Linked> {
  const hashes = await Promise.all(wires.map(({ roster_base64 }) => hashRoster(decodeBase64(roster_base64))));
  const at = hashes.indexOf(base.hash);
  if (at < 0) return { rosters: [base], wires: [] };
  const shown = wires.slice(0, at + 1);
  return { rosters: await linkBack(base, shown), wires: shown };
}
