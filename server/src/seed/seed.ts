import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import {
  createGroupKeys,
  type NewGroupKeyWire,
  type SignedMember,
} from '@passwordbroker/core/domain/groups/group-keys';
import type { Deps } from '../http/context.ts';
import { hasUsers } from '../users/user-repository.ts';
import type { App } from './caller.ts';
import { createField } from './fields.ts';
import { signUpTeam, type SeededPerson } from './people.ts';
import type { PersonKey } from './team.ts';
import { TREES, type SeedGroup } from './trees.ts';
import * as members from '@passwordbroker/core/contract/groups/members';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import { addMember } from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';

export class NotEmpty extends Error {
  constructor() {
    super('The database is not empty. The seed goes into a new one only.');
    this.name = 'NotEmpty';
  }
}

/** Fills an empty database with a demonstration team. Returns how each person signs in. @throws NotEmpty */
export async function seed(app: App, deps: Deps): Promise<readonly SeededPerson[]> {
  if (await hasUsers(deps.db)) throw new NotEmpty();
  const people = await signUpTeam(app, deps);
  for (const { maker, root } of TREES) {
    const person = people.get(maker);
    if (person !== undefined) await plant(deps, people, person, root);
  }
  return [...people.values()];
}

async function plant(
  deps: Deps,
  people: ReadonlyMap<PersonKey, SeededPerson>,
  maker: SeededPerson,
  group: SeedGroup,
  parentId?: string,
): Promise<void> {
  const { caller, keyring } = maker;
  const groupId = deps.newId();
  const members = [{ identity: keyring.identity, role: 'admin' as const }];
  const { groupKey, wire } = await createGroupKeys(keyring, { groupId, members, now: deps.clock.now() });
  const place = { entry_group_id: groupId, parent_entry_group_id: parentId ?? null };
  await caller.call(entryGroups.create, { body: { name: group.name, ...place, ...wire } });
  for (const { title, fields } of group.entries ?? []) {
    const { entry_id } = await caller.call(entries.create, { params: { g: groupId }, body: { title } });
    for (const field of fields) await createField(caller, groupKey, entry_id, field, deps.newId());
  }
  const shares = Object.entries(group.members ?? {}).flatMap(([key, role]) => {
    const person = people.get(key as PersonKey);
    return person === undefined ? [] : [{ person, role }];
  });
  await shareGroup(deps, maker, groupId, wire, shares);
  for (const child of group.children ?? []) await plant(deps, people, maker, child, groupId);
}

interface Share {
  readonly person: SeededPerson;
  readonly role: Role;
}

async function shareGroup(
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
