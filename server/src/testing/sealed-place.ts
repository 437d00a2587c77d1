/** Groups, entries and fields as the client creates them: sealed here and sent through the API. */
import { v7 } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { SignedIn } from './test-app.ts';
import type { TestPerson } from './test-person.ts';

export interface SealedPlace {
  readonly g: string;
  readonly e: string;
  readonly groupKey: GroupKey;
}

interface GroupOptions {
  readonly name?: string;
  readonly parent?: string;
  /** All members except the creator. */
  readonly others?: readonly (readonly [TestPerson, Role])[];
}

interface PlaceOptions extends GroupOptions {
  /** Title of the group's entry. */
  readonly entry?: string;
}

/** Body of a request that creates a sealed group, and the group key. */
export async function sealedGroup(maker: TestPerson, { name = 'Group', parent, others = [] }: GroupOptions = {}) {
  const groupId = v7();
  const members = [
    { identity: maker.keyring.identity, role: 'admin' as const },
    ...others.map(([person, role]) => ({ identity: person.keyring.identity, role })),
  ];
  const { groupKey, wire } = await createGroupKeys(maker.keyring, { groupId, members, now: Date.UTC(2026, 2, 1) });
  const isSame = others.length > 0 ? { same_members_as_parent: true } : {};
  const place = parent === undefined ? {} : { parent_entry_group_id: parent };
  const body = { entry_group_id: groupId, name, ...place, ...isSame, ...wire, grants: [...wire.grants] };
  return { body, groupKey };
}

/** Creates a group with one entry through the API. */
export async function createSealedPlace(
  maker: SignedIn,
  { entry, ...options }: PlaceOptions = {},
): Promise<SealedPlace> {
  const { body, groupKey } = await sealedGroup(maker, options);
  await maker.call(groups.create, { body });
  const g = body.entry_group_id;
  return { g, e: await createEntryIn(maker, g, entry), groupKey };
}

export async function createEntryIn(maker: SignedIn, g: string, title = 'Entry'): Promise<string> {
  return (await maker.call(entries.create, { params: { g }, body: { title } })).entry_id;
}

/** Body of a request that creates a sealed field. */
export async function sealedField(
  { g, e, groupKey }: SealedPlace,
  content: FieldContent = { type: 'password', title: 'Title', login: 'ada', value: utf8('s3cr3t') },
) {
  const fieldId = v7();
  const place = { entryGroupId: g, entryId: e, fieldId, type: content.type, rev: 1 };
  const { type, title } = content;
  const login = content.type === 'password' ? { login: content.login } : {};
  return { field_id: fieldId, type, title, ...login, ...(await sealField(groupKey, place, content)) };
}

/** Body of a request that creates a sealed file field, and the sealed file. */
export async function sealedFileField({ g, e, groupKey }: SealedPlace, bytes = utf8('plain file text')) {
  const fieldId = v7();
  const { body, secret } = await sealFile(fieldId, { name: 'a.txt', mime: 'text/plain', bytes });
  const place = { entryGroupId: g, entryId: e, fieldId, type: 'file' as const, rev: 1 };
  const sealed = await sealField(groupKey, place, { type: 'file', title: 'File', file: secret });
  const columns = { file_name: 'a.txt', file_mime: 'text/plain', file_size: secret.size };
  return { members: { field_id: fieldId, type: 'file', title: 'File', ...columns, ...sealed }, body };
}
