/** Members of a group as the server makes keys for them without a master password, and acts that somebody else was faster with. */
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import type { SignedMember } from '@passwordbroker/core/domain/group-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import { listMemberCertificates, listMembers } from '../entry-groups/member-repository.ts';
import { asCertificate } from '../users/key-repository.ts';

/** Every member with verified present keys. @throws AppError `rewrap_set_mismatch` when one has none */
export async function signedMembers(db: Database, groupId: string): Promise<SignedMember[]> {
  const [members, certificates] = await Promise.all([listMembers(db, groupId), listMemberCertificates(db, groupId)]);
  const byUser = new Map(certificates.map((row) => [row.user_id, row]));
  return Promise.all(
    members.map(async ({ user_id, role }) => {
      const certificate = byUser.get(user_id);
      if (certificate === undefined) throw new AppError('rewrap_set_mismatch');
      return { identity: await verifyCertificate(asCertificate(certificate)), role };
    }),
  );
}

/** How often an act is made anew because others changed the members meanwhile. */
export const TRIES = 20;

/** Somebody else was faster: the same act is made anew on what is there now. */
export function isBehind(error: unknown): boolean {
  const codes = ['roster_conflict', 'key_version_conflict', 'rewrap_set_mismatch'];
  return error instanceof AppError && codes.includes(error.code);
}
