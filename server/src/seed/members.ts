/** Sharing a group of the demonstration team, person by person, by the functions and the call of every client. */
import * as members from '@passwordbroker/core/contract/groups/members';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import type { NewGroupKeyWire, SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import { addMember } from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';
import type { Deps } from '../http/context.ts';
import type { SeededPerson } from './people.ts';

export interface Share {
  readonly person: SeededPerson;
  readonly role: Role;
}

/** Adds the members to a group that its maker has just made with this key. */
export async function shareGroup(
  { clock }: Deps,
  { keyring, caller }: SeededPerson,
  groupId: string,
  key: NewGroupKeyWire,
  shares: readonly Share[],
): Promise<void> {
  const grants = key.grants.map(({ user_id, encrypted_aes_password }) => ({
    user_id,
    gk_version: 1,
    alg: GRANT_ALGORITHM,
    encrypted_aes_password_base64: encrypted_aes_password,
  }));
  let roster = await linkedRosterOf(key);
  let present: readonly SignedMember[] = [{ identity: keyring.identity, role: 'admin' }];
  for (const { person, role } of shares) {
    const member = { identity: person.keyring.identity, role };
    const group = { groupId, roster, gkVersion: 1, grants };
    const added = await addMember(keyring, group, { member, members: present, now: clock.now() });
    await caller.call(members.add, { params: { g: groupId }, body: added, provenBy: keyring });
    const { roster_base64 } = added;
    if (roster_base64 === undefined) throw new Error('A signed group goes on with a signed list');
    roster = await linkedRosterOf({ roster_base64 });
    present = [...present, member];
  }
}
