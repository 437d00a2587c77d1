/** Imports into existing groups: groups of the same path are used again, duplicates are found, new groups get the members. */
import { beforeEach, expect, test } from 'vitest';
import { keepassXml } from '@passwordbroker/core/testing/keepass/keepass-files';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import { addSecret, groupWithSecret, mateOf, type Mate, trustGroup } from '../../testing/team.node.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { withPeople } from '../../testing/with-vaults.node.ts';
import type { FieldPath } from '../vault.ts';

let people: readonly [SignedIn, SignedIn];
withPeople(['ada', 'bob'], (_app, both) => (people = both));

let ada: Mate;
let bob: Mate;
/** Of the group that is shared with bob. */
let secret: FieldPath;
beforeEach(async () => {
  [ada, bob] = [await mateOf(people[0]), await mateOf(people[1])];
  secret = await groupWithSecret(ada, 'there before');
  await takeIn(ada, secret.entryGroupId, people[1], 'moderator');
  await trustGroup(bob, secret.entryGroupId);
});

const FILE = new Blob([
  keepassXml({
    root: {
      name: 'Root',
      entries: [{ title: 'Top', user: 'ada', password: 'top-value' }],
      groups: [
        { name: 'Servers', entries: [{ title: 'MÁIL ', user: 'root', password: 'mail-value' }] },
        { name: 'New', entries: [{ title: 'Deep', user: 'x', password: 'deep-value' }] },
      ],
    },
  }),
]);

const childrenOf = async ({ vault }: Mate, groupId: string) => {
  const find = (nodes: Awaited<ReturnType<typeof vault.read.tree>>): typeof nodes =>
    nodes.flatMap((node) => (node.entry_group_id === groupId ? node.children : find(node.children)));
  return find(await vault.read.tree());
};

test('groups of the same path are used again, and a member opens what is in the new ones', async () => {
  const into = secret.entryGroupId;
  const { entryGroup } = await ada.write.createGroup({
    name: 'Servers',
    parentId: into,
    sameMembers: await ada.vault.read.members(into),
  });
  const servers = entryGroup.entry_group_id;
  const mail = await ada.write.createEntry(servers, 'Mail');
  await addSecret(ada, { entryGroupId: servers, entryId: mail.entry_id }, 'mail before');

  const { imports } = ada.write;
  const read = await imports.read({ file: FILE, kind: 'keepass-xml' });
  expect(read.groups.map(({ name }) => name).slice(1)).toEqual(['Servers', 'New']);
  const groups = [into, servers, null];
  ada.requests.length = 0;
  const same = await imports.compare(read.handle, groups);
  expect(ada.requests.every((request) => request.startsWith('GET'))).toBe(true);
  const imported = await imports.store(read.handle, {
    rootName: '',
    without: [...same],
    into: { groups, sameMembers: true },
  });
  expect(imported).toMatchObject({ entry_group_id: into, counts: { entry_groups: 1, entries: 3 - same.size } });

  const below = await childrenOf(bob, into);
  expect(below.map(({ title }) => title).toSorted()).toEqual(['New', 'Servers']);
  const made = below.find(({ title }) => title === 'New')?.entry_group_id ?? '';
  const [deep] = await bob.vault.read.entries(made);
  const place = { entryGroupId: made, entryId: deep?.entry_id ?? '' };
  const [field] = await bob.vault.read.fields(place);
  expect((await bob.vault.read.reveal({ ...place, field: field! })).text).toBe('deep-value');

  await ada.write.undo(imported.operation_id);
  expect((await childrenOf(bob, into)).map(({ title }) => title)).toEqual(['Servers']);
});

test('an entry of the same title and login in the group of the same path looks like a duplicate; elsewhere it does not', async () => {
  const into = secret.entryGroupId;
  const top = await ada.write.createEntry(into, 'TOP');
  await ada.write.createField(
    { entryGroupId: into, entryId: top.entry_id },
    { type: 'password', title: 'Password', login: 'ada', value: 'other' },
  );
  await ada.write.createEntry(into, 'Deep');
  const read = await ada.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  expect([...(await ada.write.imports.compare(read.handle, [into, null, null]))]).toEqual([0]);
});

test('without the members, new groups are of the importer alone; a member may not import', async () => {
  const into = secret.entryGroupId;
  const read = await bob.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  const choice = { rootName: '', without: [], into: { groups: [into, null, null], sameMembers: false } };
  await bob.write.imports.store(read.handle, choice);
  expect((await childrenOf(ada, into)).map(({ title }) => title)).toEqual([]);
  expect((await childrenOf(bob, into)).map(({ title }) => title).toSorted()).toEqual(['New', 'Servers']);

  await ada.write.members.changeRole(into, people[1].userId, 'member');
  const again = await bob.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  await expect(bob.write.imports.store(again.handle, choice)).rejects.toMatchObject({ code: 'forbidden' });
});
