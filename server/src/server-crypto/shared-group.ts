/** A group as an act on its members needs it: the verified roster, the own grants, and the members that the next roster names. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import type { SignedMember } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { type SharedGroup, continueMembers } from '@passwordbroker/core/domain/member-change';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import { listMemberCertificates, listMembers } from '../entry-groups/member-repository.ts';
import type { Deps } from '../http/context.ts';
import { asCertificate } from '../users/key-repository.ts';
import { readGroupKeys } from './group-key-repository.ts';
import { newestRoster } from './group-key.ts';

export interface GroupForAct {
  readonly shared: SharedGroup;
  /** Whoever is in the roster and still a member, in the role that the roster names; all members where there is no roster. */
  readonly members: readonly SignedMember[];
}

/** Throws `CryptoError` for a roster that does not verify. Whoever the database lists and the roster does not is not taken in. */
export async function readGroupForAct(deps: Pick<Deps, 'db'>, keyring: Keyring, groupId: string): Promise<GroupForAct> {
  const wire = await readGroupKeys(deps.db, groupId, keyring.userId);
  const roster = await newestRoster(wire, groupId);
  if (roster !== null && roster.content.gkVersion !== wire.gk_version) throw new CryptoError('roster');
  const shared = { groupId, roster, gkVersion: wire.gk_version, grants: wire.grants };
  const listed = await signedMembers(deps.db, groupId);
  if (roster === null) return { shared, members: listed };
  const chains = listed.map(({ identity }) => ({ identity, fingerprints: [identity.fingerprint] }));
  // Nobody can be asked here whether a changed key is the right one: who lets the server seal believes it in this, too.
  return { shared, members: continueMembers(roster.content, chains, () => 'compared').members };
}

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

/** Somebody else was faster: the same act is made anew on what is there now. */
export function isBehind(error: unknown): boolean {
  const codes = ['roster_conflict', 'key_version_conflict', 'rewrap_set_mismatch'];
  return error instanceof AppError && codes.includes(error.code);
}
