/** Lists forged by a server with its own keys, or signed by an admin who colludes. */
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { signAgain } from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';
import { hashRoster, readRoster, signRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';

const certificateOf = ({ bundle, keyring }: SignedIn) => ({
  ...bundle.certificate,
  fpr: keyring.fingerprint,
  created_at: '2026-11-21T00:00:00.000Z',
});

/**
 * Appends a list that the ghost signed and that makes it an admin. Without the group's secret there is no
 * valid proof.
 * @param proof `none`: the list says that it has none
 */
export async function withGhost(all: RosterAnswer, ghost: SignedIn, proof: 'none' | 'copied'): Promise<RosterAnswer> {
  const newest = all.rosters.at(-1)!;
  const content = readRoster(decodeBase64(newest.roster_base64));
  const { hasProof: _, ...unproved } = content;
  const signed = await signRoster(ghost.keyring, {
    ...unproved,
    seq: content.seq + 1,
    prev: await hashRoster(decodeBase64(newest.roster_base64)),
    members: [...content.members, { userId: ghost.userId, role: 'admin', fingerprint: ghost.keyring.fingerprint }],
    ...(proof === 'copied' ? { hasProof: true } : {}),
  });
  const roster = {
    ...newest,
    ...signed,
    seq: content.seq + 1,
    roster_proof_base64: proof === 'copied' ? newest.roster_proof_base64 : null,
    signer: ghost.userId,
    signer_certificate: certificateOf(ghost),
  };
  return { ...all, rosters: [...all.rosters, roster] };
}

interface Colluding {
  /** Holds the group's key. */
  readonly admin: SignedIn;
  readonly grants: RosterAnswer['grants'];
  readonly members: readonly { readonly person: SignedIn; readonly role: Role }[];
  /** Makes two otherwise equal lists differ. */
  readonly ts?: number;
}

/** The lists up to `seq`, followed by one that an admin has signed with a valid proof. */
export async function withOwnNext(all: RosterAnswer, seq: number, colluding: Colluding): Promise<RosterAnswer> {
  const { admin, grants, members, ts = 9 } = colluding;
  const shown = all.rosters.filter((one) => one.seq <= seq);
  const base = await linkedRosterOf(shown.at(-1)!);
  const group = { groupId: all.entry_group_id, roster: base, gkVersion: base.content.gkVersion, grants };
  const signed = await signAgain(admin.keyring, group, {
    members: members.map(({ person, role }) => ({ identity: person.keyring.identity, role })),
    now: ts * 1000,
  });
  const roster = {
    ...shown.at(-1)!,
    ...signed,
    seq: seq + 1,
    signer: admin.userId,
    signer_certificate: certificateOf(admin),
  };
  return { ...all, rosters: [...shown, roster] };
}
