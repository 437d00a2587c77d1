/** Lies about keys and members. */
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { decodeBase64, encodeBase64, encodeHex } from '@passwordbroker/core/crypto/bytes';
import { commitmentOf, createGroupSecret, wrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import {
  hashRoster,
  readRoster,
  signRoster,
  type RosterMember,
  proveRoster,
} from '@passwordbroker/core/domain/rosters/roster';
import type { Lie } from './lying-proxy.ts';
import type { Person } from '../people/people.ts';

const API = '/passwordBroker/api/entryGroups';

/** A certificate of these keys under another user's id, as the server sends it. */
export const certificateOf = ({ bundle, keyring }: Person, created_at = '2026-03-01T09:30:00.000Z') => ({
  ...bundle.certificate,
  fpr: keyring.fingerprint,
  created_at,
});

/** Forges every response with the key of that user. */
export const keyOf =
  (userId: string, certificate: object): Lie =>
  ({ url }, body) => {
    if (url === `/identity/api/user/${userId}/certificate`) return { certificate, previous: [] };
    if (url.startsWith('/identity/api/certificates')) {
      const { certificates } = body as { certificates: { user_id: string }[] };
      return { certificates: certificates.map((one) => (one.user_id === userId ? certificate : one)) };
    }
    if (!url.endsWith('/users') || !Array.isArray(body)) return undefined;
    return (body as { user_id: string }[]).map((one) => (one.user_id === userId ? { ...one, certificate } : one));
  };

/** Adds an unsigned member with keys made by the server. */
export const ghostIn =
  (place: string, mallory: Person): Lie =>
  ({ url }, body) => {
    if (url === `${API}/${place}/users`) {
      const all = body as Record<string, unknown>[];
      const ghost = {
        ...all[0],
        id: '0190a1b2-0000-7000-8000-00000000dead',
        user_id: mallory.userId,
        role: 'member',
        fpr: mallory.keyring.fingerprint,
        user: { user_id: mallory.userId, name: 'Mallory' },
        certificate: certificateOf(mallory),
      };
      return [...all, ghost];
    }
    if (url === `/identity/api/user/${mallory.userId}/certificate`)
      return { certificate: certificateOf(mallory), previous: [] };
    return undefined;
  };

/** Forges the signed lists of the group. */
export const rosterAs =
  (id: string, forge: (answer: RosterAnswer) => unknown): Lie =>
  ({ url }, body) =>
    url.startsWith(`${API}/${id}/roster`) ? forge(body as RosterAnswer) : undefined;

interface Signed {
  readonly groupId: string;
  readonly signer: Person;
  /** The secret is wrapped for this user. */
  readonly reader: Person;
}

/** Pretends that the signer made the group and shares it with the reader. */
export async function madeBy({ groupId, signer, reader }: Signed): Promise<Lie> {
  const secret = createGroupSecret();
  const people = [reader, signer].map(({ userId, keyring }) => ({ userId, fingerprint: keyring.fingerprint }));
  const signed = await signRoster(signer.keyring, {
    groupId,
    seq: 0,
    prev: '',
    gkVersion: 1,
    gkCommit: encodeHex(await commitmentOf(secret, groupId, 1)),
    members: people.map((one) => ({ ...one, role: 'admin' })),
    ts: 1,
    hasProof: true,
  });
  const proof = await proveRoster(secret, { groupId, version: 1, rosterBase64: signed.roster_base64 });
  const wrapped = encodeBase64(await wrapGroupSecret(secret, reader.keyring.identity));
  const gifted = {
    ...signed,
    roster_proof_base64: proof,
    signer: signer.userId,
    signer_certificate: certificateOf(signer),
  };
  return rosterAs(groupId, (answer) => ({
    ...answer,
    rosters: answer.rosters.map((one) => ({ ...one, ...gifted })),
    grants: answer.grants.map((grant) => ({ ...grant, encrypted_aes_password_base64: wrapped })),
  }));
}

export function newestOf({ rosters }: RosterAnswer) {
  const wire = rosters.at(-1);
  if (wire === undefined) throw new Error('the group has no roster');
  return { wire, content: readRoster(decodeBase64(wire.roster_base64)) };
}

/** A forged successor of the current list, with the signer as another admin and a new key of the signer. */
export async function takenOverBy(present: RosterAnswer, { groupId, signer, reader }: Signed): Promise<Lie> {
  const { wire, content } = newestOf(present);
  const secret = createGroupSecret();
  const version = content.gkVersion + 1;
  const members: RosterMember[] = [
    ...content.members,
    { userId: signer.userId, role: 'admin', fingerprint: signer.keyring.fingerprint },
  ];
  const seq = content.seq + 1;
  const forged = await signRoster(signer.keyring, {
    groupId,
    seq,
    prev: await hashRoster(decodeBase64(wire.roster_base64)),
    gkVersion: version,
    gkCommit: encodeHex(await commitmentOf(secret, groupId, version)),
    members,
    ts: content.ts + 1,
    hasProof: true,
  });
  const proof = await proveRoster(secret, { groupId, version, rosterBase64: forged.roster_base64 });
  const wrapped = encodeBase64(await wrapGroupSecret(secret, reader.keyring.identity));
  const next = {
    ...wire,
    ...forged,
    roster_proof_base64: proof,
    seq,
    signer: signer.userId,
    signer_certificate: certificateOf(signer),
  };
  return rosterAs(groupId, (answer) => ({
    ...answer,
    gk_version: version,
    rosters: [...answer.rosters, next],
    grants: answer.grants.map((grant) => ({
      ...grant,
      gk_version: version,
      encrypted_aes_password_base64: wrapped,
    })),
  }));
}
