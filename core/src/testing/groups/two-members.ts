/** Signed rosters of a group with two members. */
import { type RosterContent, signRoster } from '../../domain/rosters/roster.ts';
import type { TestPerson } from '../keyrings.ts';

export const groupId = '0b9f6c1e-33b7-4f8e-8d9a-9c4a5d6e7f80';
export const otherGroup = 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff';

export const member = ({ userId, keyring }: TestPerson, role: 'admin' | 'moderator' | 'member') => ({
  userId,
  role,
  fingerprint: keyring.fingerprint,
});

/** The first list of the group: an admin and a member. */
export const listOf = (
  admin: TestPerson,
  other: TestPerson,
  change: Partial<RosterContent> = {},
): Omit<RosterContent, 'signer'> => ({
  groupId,
  seq: 0,
  prev: '',
  gkVersion: 1,
  gkCommit: 'ab'.repeat(32),
  members: [member(admin, 'admin'), member(other, 'member')],
  ts: 1_795_219_200,
  ...change,
});

/** As in a response of the server. */
export const signedBy = async (signer: TestPerson, content: Omit<RosterContent, 'signer'>) => ({
  ...(await signRoster(signer.keyring, content)),
  signer_certificate: signer.bundle.certificate,
});
