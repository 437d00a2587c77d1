import { decodeBase64 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { type Follow, followCertificates, type KeyChain, type CertificateWire } from '../keyring/certificate.ts';
import { deriveGroupKey, type GroupKey } from '../groups/grants.ts';
import { type GrantWire, lockedWith, withOwnSecret } from '../groups/group-keys.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { type LinkedRoster, linkBack } from '../rosters/roster-chain.ts';
import {
  hashRoster,
  type RosterContent,
  type RosterWire,
  verifyRosterOf,
  isProofOf,
  type RosterProofWire,
} from '../rosters/roster.ts';
import type { ShownGroup, ShownList } from './judge-group.ts';

export type CertifiedRoster = RosterWire & RosterProofWire & { readonly signer_certificate: CertificateWire | null };

export interface GroupToRead {
  readonly groupId: string;
  readonly path: readonly string[];
  /** Rosters ascending from the lowest head of the record's row, or only the newest. */
  readonly answer: {
    readonly origin: 'client' | 'server';
    readonly gk_version: number;
    readonly rosters: readonly CertifiedRoster[];
    readonly grants: readonly GrantWire[];
  };
  readonly certificates: readonly CertificateWire[];
  readonly follow?: Follow;
}

export interface ReadGroup {
  readonly shown: ShownGroup;
  /** Reached from the newest by hashes, ascending. */
  readonly linked: readonly LinkedRoster[];
  /** Null if it does not fit its commitment. */
  readonly groupKey: GroupKey | null;
}

/**
 * Verifies signatures, hashes and the own key of a group, for `judgeGroup`. Bad data is part of the result.
 * @throws CryptoError `locked`
 */
export async function readGroup(keyring: Keyring, group: GroupToRead): Promise<ReadGroup> {
  const { groupId, path, answer } = group;
  const common = { groupId, path, origin: answer.origin };
  const wire = answer.rosters.at(-1);
  if (wire === undefined) {
    const place = { groupId, version: answer.gk_version, gkCommit: null };
    const groupKey = await openKey(keyring, answer.grants, place, async () => 'none');
    const shown = { ...common, lists: [], keyFits: groupKey !== null, proof: 'none' as const };
    return { shown, linked: [], groupKey: groupKey?.key ?? null };
  }
  const signed = await readSigned(wire, group);
  if (signed === null) {
    return { shown: { ...common, lists: 'broken', keyFits: false, proof: 'none' }, linked: [], groupKey: null };
  }
  const { content } = signed;
  const newest = { content, hash: await hashRoster(decodeBase64(wire.roster_base64)) };
  const linked = await linkBack(newest, answer.rosters);
  const wires = answer.rosters.slice(-linked.length);
  const lists = await Promise.all(
    linked.map(async (list, at): Promise<ShownList> => {
      const one = at === linked.length - 1 ? signed : await readSigned(wires[at] as CertifiedRoster, group);
      return { ...list, signedBy: one?.signedBy ?? null };
    }),
  );
  const place = { groupId, version: content.gkVersion, gkCommit: content.gkCommit };
  const opened = await openKey(keyring, answer.grants, place, async (secret) => {
    if (content.hasProof !== true) return 'none';
    const list = { groupId, version: content.gkVersion, rosterBase64: wire.roster_base64 };
    return (await isProofOf(wire.roster_proof_base64, secret, list)) ? 'right' : 'wrong';
  });
  const shown = { ...common, lists, keyFits: opened !== null, proof: opened?.proof ?? ('none' as const) };
  return { shown, linked, groupKey: opened?.key ?? null };
}

type Proof = ShownGroup['proof'];

async function openKey(
  keyring: Keyring,
  grants: readonly GrantWire[],
  place: { groupId: string; version: number; gkCommit: string | null },
  prove: (secret: Parameters<typeof isProofOf>[1]) => Promise<Proof>,
): Promise<{ readonly key: GroupKey; readonly proof: Proof } | null> {
  try {
    return await withOwnSecret(keyring, grants, place, async (secret) => ({
      key: lockedWith(keyring, await deriveGroupKey(secret, place.groupId, place.version)),
      proof: await prove(secret),
    }));
  } catch (failure) {
    if (failure instanceof CryptoError && failure.code !== 'locked') return null;
    throw failure;
  }
}

interface SignedList {
  readonly content: RosterContent;
  readonly signedBy: readonly string[];
}

/** Null for any fault. @throws CryptoError `locked` */
async function readSigned(wire: CertifiedRoster, group: GroupToRead): Promise<SignedList | null> {
  const { groupId, certificates, follow = followCertificates } = group;
  try {
    const signer = await follow(wire.signer_certificate, certificates);
    const content = await verifyRosterOf(signer.identity, wire, groupId);
    return { content, signedBy: await connectedKeys(signer, certificates, follow) };
  } catch (failure) {
    if (failure instanceof CryptoError && failure.code !== 'locked') return null;
    throw failure;
  }
}

/** The signing key, former ones that lead to it, and later ones to which it leads. */
async function connectedKeys(
  { identity: { userId, fingerprint }, fingerprints }: KeyChain,
  certificates: readonly CertificateWire[],
  follow: Follow,
): Promise<readonly string[]> {
  const keys = new Set(fingerprints);
  for (const certificate of certificates) {
    if (certificate.user_id !== userId) continue;
    const later = await follow(certificate, certificates).catch(() => null);
    if (later?.fingerprints.includes(fingerprint) === true) for (const key of later.fingerprints) keys.add(key);
  }
  return [...keys];
}
