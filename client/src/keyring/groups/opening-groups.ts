/** Opens a group from the server's answer and judges it by the trust record. */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Follow, CertificateWire } from '@passwordbroker/core/domain/keyring/certificate';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { openGroupUnder } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import { judgeGroup, type ShownGroup, type TrustMemory } from '@passwordbroker/core/domain/trust/judge-group';
import { type GroupToRead, readGroup } from '@passwordbroker/core/domain/trust/shown-group';
import { decidedKeysOf } from '@passwordbroker/core/domain/trust/trust-record';
import type { HeldGroup } from './held-group.ts';

interface Opening {
  readonly keyring: Keyring;
  readonly memory: TrustMemory;
  readonly group: {
    readonly groupId: string;
    /** Names from the root; empty: not known. */
    readonly path: readonly string[];
    readonly answer: GroupToRead['answer'];
    /** Present and former certificates of the signers. */
    readonly certificates: readonly CertificateWire[];
  };
  /** Caches verified certificates. */
  readonly follow: Follow;
  /** From an offline copy: its newest list opens for reading even if disputed, because the copy may be older than the record. */
  readonly isCopy?: boolean;
}

/** Bad data from the server gives a locked or disputed group and never throws. @throws CryptoError `locked` */
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
    unnamed: new Set<number>(),
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
  // A restored server may not show the accepted list. Reading shares nothing, so a list of a known signer is enough.
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

/** The highest accepted list that the server still shows, with its key. */
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
