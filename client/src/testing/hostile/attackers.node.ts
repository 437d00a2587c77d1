/** Keys of a hostile server, and functions that make lists, grants, proofs and values with them. */
import type { Certificate, Envelope, Field, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { decodeBase64, encodeBase64, encodeHex, randomBytes } from '@passwordbroker/core/crypto/bytes';
import { createRsaKeyPair } from '@passwordbroker/core/crypto/rsa';
import type { CertificateWire, PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import {
  commitmentOf,
  createGroupSecret,
  deriveGroupKey,
  type GroupSecret,
  wrapGroupSecret,
} from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import {
  hashRoster,
  type RosterContent,
  type RosterMember,
  signRoster,
  proveRoster,
} from '@passwordbroker/core/domain/rosters/roster';
import { createSigner } from '@passwordbroker/core/testing/signers';
import type { HonestList, KnownPast, Party, PastGroup } from './past.node.ts';

export interface Attacker {
  readonly userId: string;
  readonly keyring: Keyring;
  readonly certificate: Certificate;
}

/** A forged list, with its signer and the secret of its version; null: the attackers do not have that secret. */
export interface MadeList {
  readonly wire: RosterAnswer['rosters'][number];
  readonly content: RosterContent;
  readonly hash: string;
  readonly secret: GroupSecret | null;
  readonly signer: Attacker;
}

export interface Attackers {
  /** An account that the server invents. */
  readonly ghost: Attacker;
  /** A person who helps the server, with a real key that honest lists have named. Null: none. */
  readonly colluder: Party | null;
  /** A key of the attackers under the id of a real person; the ghost for unknown ids. */
  readonly falseOf: (userId: string) => Attacker;
  /** `false`: a false key of an admin of the group. Falls back to the ghost if there is no such attacker. */
  signer(by: 'ghost' | 'false' | 'colluder', group: PastGroup): Attacker;
  /** All group secrets that the attackers know. */
  readonly secrets: Set<GroupSecret>;
  /** Ids of groups that the attackers have made lists for. */
  readonly groups: Set<string>;
  /** Keyrings that can open grants: the ghost's and the colluder's. */
  readonly keyrings: readonly Keyring[];
  isTheirs(fingerprint: string): boolean;
}

const TIME = '2026-03-01T09:30:00.000Z';
const wireOf = (certificate: CertificateWire, fpr: string): Certificate => ({
  ...(certificate as Omit<Certificate, 'fpr' | 'created_at'>),
  fpr,
  created_at: TIME,
});

/** Makes the keys once for each past. @returns a function that hires a colluder by name, or none */
export async function hireAttackers(past: KnownPast): Promise<(colluderName: string | null) => Attackers> {
  const rsa = await createRsaKeyPair();
  const made = async (userId?: string): Promise<Attacker> => {
    const one = await createSigner(rsa, userId);
    const { userId: id, keyring, certificate } = one;
    return { userId: id, keyring, certificate: wireOf(certificate, keyring.fingerprint) };
  };
  const ghost = await made();
  const falseOnes = new Map<string, Attacker>();
  for (const { userId } of past.people) falseOnes.set(userId, await made(userId));
  return (name) => {
    const colluder = past.people.find((one) => one.name === name) ?? null;
    const falseOf = (userId: string) => falseOnes.get(userId) ?? ghost;
    const secrets = new Set<GroupSecret>();
    for (const place of colluder === null ? [] : past.held(colluder.userId)) {
      const secret = past.secrets.get(place);
      if (secret !== undefined) secrets.add(secret);
    }
    const prints = new Set([ghost, ...falseOnes.values()].map(({ keyring }) => keyring.fingerprint));
    return {
      ghost,
      colluder,
      falseOf,
      signer(by, group) {
        if (by === 'colluder' && colluder !== null) {
          const { userId, keyring, bundle } = colluder;
          return { userId, keyring, certificate: wireOf(bundle.certificate, keyring.fingerprint) };
        }
        const admin = group.lists
          .at(-1)
          ?.content.members.find(({ userId, role }) => role === 'admin' && userId !== past.victim.userId);
        return by === 'false' && admin !== undefined ? falseOf(admin.userId) : ghost;
      },
      secrets,
      groups: new Set(),
      keyrings: [ghost.keyring, ...(colluder === null ? [] : [colluder.keyring])],
      isTheirs: (fingerprint) => prints.has(fingerprint),
    };
  };
}

export interface ListToMake {
  readonly past: KnownPast;
  readonly attackers: Attackers;
  readonly group: Pick<PastGroup, 'id' | 'name' | 'lists' | 'members'>;
  readonly signer: Attacker;
  /** The list before it; null begins a new chain. */
  readonly base: HonestList | null;
  /** True: under a new key of the attackers. False: with the commitment of the base, or of the newest list. */
  readonly isRotated: boolean;
  readonly proof: 'own' | 'copied' | 'none';
  /** Whether it claims to supersede the newest lists, up to eight. */
  readonly supersedes: boolean;
}

export async function makeList({ past, attackers, group, signer, base, ...how }: ListToMake): Promise<MadeList> {
  const { isRotated, proof, supersedes } = how;
  attackers.groups.add(group.id);
  const model = base ?? group.lists.at(-1) ?? null;
  const isNew = isRotated || model === null;
  const version =
    base === null ? (isNew ? 1 : (model?.content.gkVersion ?? 1)) : base.content.gkVersion + Number(isNew);
  const secret = isNew ? createGroupSecret() : heldSecret(past, attackers, `${group.id} ${version}`);
  if (isNew && secret !== null) attackers.secrets.add(secret);
  const gkCommit = isNew
    ? encodeHex(await commitmentOf(secret as GroupSecret, group.id, version))
    : (model?.content.gkCommit ?? '');
  const members: RosterMember[] = (model?.content.members ?? []).filter(({ userId }) => userId !== signer.userId);
  members.push({ userId: signer.userId, role: 'admin', fingerprint: signer.keyring.fingerprint });
  const { ghost } = attackers;
  const needed = [
    { userId: past.victim.userId, role: 'admin' as const, fingerprint: past.victim.keyring.fingerprint },
    { userId: ghost.userId, role: 'member' as const, fingerprint: ghost.keyring.fingerprint },
  ];
  for (const one of needed) if (!members.some(({ userId }) => userId === one.userId)) members.push(one);
  const seq = base === null ? 0 : base.content.seq + 1;
  const content = {
    groupId: group.id,
    seq,
    prev: base?.hash ?? '',
    gkVersion: version,
    gkCommit,
    members,
    ts: (model?.content.ts ?? 1_795_000_000) + 1,
    ...(proof === 'none' ? {} : { hasProof: true as const }),
    ...(supersedes && group.lists.length > 0 ? { supersedes: group.lists.slice(-8).map(({ hash }) => hash) } : {}),
  };
  const signed = await signRoster(signer.keyring, content);
  const rosterBase64 = signed.roster_base64;
  const prove = async (under: GroupSecret | null, of: number): Promise<string | null> => {
    if (proof === 'none') return null;
    if (proof === 'own' && under !== null) return proveRoster(under, { groupId: group.id, version: of, rosterBase64 });
    return model?.wire.roster_proof_base64 ?? encodeBase64(randomBytes(32));
  };
  const before = base === null ? null : heldSecret(past, attackers, `${group.id} ${base.content.gkVersion}`);
  const wire = {
    entry_group_id: group.id,
    seq,
    ...signed,
    roster_proof_base64: await prove(secret, version),
    roster_proof_prev_base64: isNew && base !== null ? await prove(before, version - 1) : null,
    signer: signer.userId,
    signer_certificate: signer.certificate,
    created_at: TIME,
  };
  const hash = await hashRoster(decodeBase64(rosterBase64));
  return { wire, content: { ...content, signer: signer.userId }, hash, secret, signer };
}

function heldSecret(past: KnownPast, attackers: Attackers, place: string): GroupSecret | null {
  const secret = past.secrets.get(place);
  return secret !== undefined && attackers.secrets.has(secret) ? secret : null;
}

/** A grant for the reader, usually the victim. */
export async function makeGrant(
  secret: GroupSecret,
  { groupId, version, reader, role = 'admin' }: { groupId: string; version: number; reader: ReaderOf; role?: 'admin' },
): Promise<RosterAnswer['grants'][number]> {
  return {
    entry_group_id: groupId,
    user_id: reader.userId,
    role,
    gk_version: version,
    alg: 'rsa-oaep-256',
    encrypted_aes_password_base64: encodeBase64(await wrapGroupSecret(secret, reader.keyring.identity)),
    recipient_fpr: reader.keyring.fingerprint,
    granted_by: null,
  };
}

interface ReaderOf {
  readonly userId: string;
  readonly keyring: { readonly fingerprint: string; readonly identity: PublicIdentity };
}

/** Seals a value that no member wrote. Its text begins with `evil`. */
export async function makeEnvelope(
  secret: GroupSecret,
  place: { readonly groupId: string; readonly entryId: string; readonly fieldId: string; readonly rev: number },
  version: number,
): Promise<Envelope> {
  const { groupId, entryId, fieldId, rev } = place;
  // For an impossible version the value is sealed under version 1 and only labelled with it.
  const real = Number.isSafeInteger(version) && version > 0 ? version : 1;
  const key = await deriveGroupKey(secret, groupId, real);
  const sealed = await sealField(
    key,
    { entryGroupId: groupId, entryId, fieldId, type: 'password', rev },
    { type: 'password', title: 'Root', login: 'root', value: new TextEncoder().encode(`evil ${groupId}`) },
  );
  return {
    field_id: fieldId,
    entry_id: entryId,
    entry_group_id: groupId,
    type: 'password',
    rev,
    crypto_profile: 'pb1',
    gk_version: version,
    cek_wrapped_base64: sealed.cek_wrapped,
    encrypted_value_base64: sealed.value_encrypted,
    initialization_vector_base64: sealed.initialization_vector,
    file: null,
  };
}

/** A password field as the server lists it. */
export const makeField = (entryId: string, fieldId: string, version: number): Field => ({
  field_id: fieldId,
  entry_id: entryId,
  title: 'Root',
  rev: 1,
  gk_version: version,
  crypto_profile: 'pb1',
  created_by: null,
  updated_by: null,
  created_at: TIME,
  updated_at: TIME,
  type: 'password',
  login: 'root',
});
