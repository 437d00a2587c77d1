/** Chains of rosters for tests. */
import { decodeBase64 } from '../../crypto/bytes.ts';
import type { CertificateWire } from '../../domain/keyring/certificate.ts';
import type { Role } from '../../domain/policy.ts';
import {
  type RosterContent,
  type RosterMember,
  type RosterWire,
  hashRoster,
  signRoster,
} from '../../domain/rosters/roster.ts';
import type { LinkedRoster } from '../../domain/rosters/roster-chain.ts';
import type { Signer } from '../signers.ts';

export const GROUP_ID = '0b9f6c1e-33b7-4f8e-8d9a-9c4a5d6e7f80';
export const commitOf = (version: number) => version.toString(16).padStart(2, '0').repeat(32);

export interface TestRoster extends LinkedRoster {
  readonly wire: RosterWire & { readonly signer_certificate: CertificateWire | null };
}

export const memberOf = ({ userId, keyring }: Signer, role: Role): RosterMember => ({
  userId,
  role,
  fingerprint: keyring.fingerprint,
});

/** The roster after `before` (null: the first one), with changed members. */
export async function nextRoster(
  signer: Signer,
  before: TestRoster | null,
  change: Partial<RosterContent> = {},
): Promise<TestRoster> {
  const content = {
    groupId: GROUP_ID,
    seq: before === null ? 0 : before.content.seq + 1,
    prev: before?.hash ?? '',
    gkVersion: before?.content.gkVersion ?? 1,
    gkCommit: before?.content.gkCommit ?? commitOf(1),
    members: before?.content.members ?? [memberOf(signer, 'admin')],
    ts: 1_795_219_200,
    ...change,
  };
  const wire = { ...(await signRoster(signer.keyring, content)), signer_certificate: signer.certificate };
  const members = content.members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  const hash = await hashRoster(decodeBase64(wire.roster_base64));
  return { wire, hash, content: { ...content, members, signer: signer.userId } };
}
