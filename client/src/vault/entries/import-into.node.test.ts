/** Imports into existing groups: groups of the same path are used again, duplicates are found, new groups get the members. */
import { beforeEach, describe, expect, test } from 'vitest';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { keepassXml } from '@passwordbroker/core/testing/keepass/keepass-files';
import { createSealedPlace, sealedField } from '../../../../server/src/testing/sealed-place.ts';
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
  const { same } = await imports.compare(read.handle, groups);
  // Site rules are read by POST, because it names the groups that are known.
  expect(
    ada.requests.filter((request) => !request.startsWith('GET')).every((request) => /^POST .*\/sites$/.test(request)),
  ).toBe(true);
  const imported = await imports.store(read.handle, {
    rootName: '',
    without: [...same],
    into: { groups, sameMembers: true, revise: [] },
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

test('an entry of the same title and login in the group of the same path looks like a duplicate; others are named by their group', async () => {
  const into = secret.entryGroupId;
  const top = await ada.write.createEntry(into, 'TOP');
  await ada.write.createField(
    { entryGroupId: into, entryId: top.entry_id },
    { type: 'password', title: 'Password', login: 'ada', value: 'other' },
  );
  await ada.write.createEntry(into, 'Deep');
  const read = await ada.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  const { same, elsewhere } = await ada.write.imports.compare(read.handle, [into, null, null]);
  expect([[...same], elsewhere.has(2)]).toEqual([[0], false]);
  const other = (await groupWithSecret(ada, 'elsewhere')).entryGroupId;
  const deep = await ada.write.createEntry(other, 'Deep');
  await ada.write.createField(
    { entryGroupId: other, entryId: deep.entry_id },
    { type: 'password', title: 'Password', login: 'x', value: 'other' },
  );
  const again = await ada.write.imports.compare(read.handle, [into, null, null]);

  const trees = await ada.vault.read.tree();
  const title = trees.find(({ entry_group_id }) => entry_group_id === other)?.title;
  expect(again.elsewhere.get(2)).toBe(title);

  ada.requests.length = 0;
  const third = await ada.write.imports.compare(read.handle, [into, null, null]);
  expect(third.elsewhere.get(2)).toBe(title);
  const lists = ada.requests.filter((request) => request.endsWith('/entries'));
  expect(lists).toEqual([expect.stringContaining(`/${into}/entries`)]);
});

test.each(['not_found', 'forbidden'] as const)('another group that was trashed or left meanwhile: %s', async (code) => {
  const into = secret.entryGroupId;
  const other = (await groupWithSecret(ada, 'elsewhere')).entryGroupId;
  const read = await ada.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  const refuseIn = (group: string) => (request: string) =>
    request.endsWith(`/${group}/entries`) ? { code, status: code === 'forbidden' ? 403 : 404 } : null;
  ada.refuse = refuseIn(other);
  expect((await ada.write.imports.compare(read.handle, [into, null, null])).same.size).toBe(0);
  ada.refuse = refuseIn(into);
  await expect(ada.write.imports.compare(read.handle, [into, null, null])).rejects.toMatchObject({ code });
});

test('site rules of another group for the id of an entry do not hide that it looks like a duplicate', async () => {
  const into = secret.entryGroupId;
  const { entry_id: entryId } = await ada.write.createEntry(into, 'Shop');
  await ada.write.createField(
    { entryGroupId: into, entryId },
    { type: 'password', title: 'P', login: 'a', value: 'x' },
  );
  const place = await createSealedPlace(people[0], { name: 'Of an attacker' });
  const content = { type: 'link', title: '', value: utf8('https://evil.example') } as const;
  const { field_id, site_sealed, cek_wrapped } = await sealedField({ ...place, e: entryId }, content);
  const sealed = { site_sealed_base64: site_sealed, cek_wrapped_base64: cek_wrapped };
  const row = { entry_id: entryId, entry_title: 'Shop', field_id, rev: 1, gk_version: 1, ...sealed };
  ada.forge = (path, answer) => {
    if (!path.endsWith('/sites')) return answer;
    const { groups, ...rest } = answer as { groups: { entry_group_id: string }[] };
    const others = groups.filter((group) => group.entry_group_id !== place.g);
    return { ...rest, groups: [...others, { entry_group_id: place.g, rows: [row] }] };
  };
  const entry = { title: 'Shop', user: 'a', password: 'x', url: 'https://shop.example' };
  const file = new Blob([keepassXml({ root: { name: 'R', entries: [entry] } })]);
  const read = await ada.write.imports.read({ file, kind: 'keepass-xml' });
  expect([...(await ada.write.imports.compare(read.handle, [into])).same]).toEqual([0]);
  expect(await (await ada.write.sites()).read()).toMatchObject([{ entryGroupId: place.g, entryId }]);
});

test('without the members, new groups are of the importer alone; a member may not import', async () => {
  const into = secret.entryGroupId;
  const read = await bob.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  const choice = { rootName: '', without: [], into: { groups: [into, null, null], sameMembers: false, revise: [] } };
  await bob.write.imports.store(read.handle, choice);
  expect((await childrenOf(ada, into)).map(({ title }) => title)).toEqual([]);
  expect((await childrenOf(bob, into)).map(({ title }) => title).toSorted()).toEqual(['New', 'Servers']);

  await ada.write.members.changeRole(into, people[1].userId, 'member');
  const again = await bob.write.imports.read({ file: FILE, kind: 'keepass-xml' });
  await expect(bob.write.imports.store(again.handle, choice)).rejects.toMatchObject({ code: 'forbidden' });
});

/** One entry 'Top' of 'ada' with these strings and an attachment. */
const topFile = (password: string, attachment: string, strings: Readonly<Record<string, string>> = {}) =>
  new Blob([
    keepassXml({
      root: {
        name: 'Root',
        entries: [
          { title: 'Top', user: 'ada', password, strings, files: [{ name: 'key.pem', base64: btoa(attachment) }] },
        ],
      },
    }),
  ]);

describe('duplicates as new revisions', () => {
  /** Imports the file over the duplicates in the group. */
  async function revised(person: Mate, file: Blob) {
    const into = secret.entryGroupId;
    const { imports } = person.write;
    const read = await imports.read({ file, kind: 'keepass-xml' });
    const { same } = await imports.compare(read.handle, [into]);
    const choice = { rootName: '', without: [], into: { groups: [into], sameMembers: false, revise: [...same] } };
    return imports.store(read.handle, choice);
  }

  const topOf = async ({ vault }: Mate) => {
    const into = secret.entryGroupId;
    const tops = (await vault.read.entries(into)).filter(({ title }) => title === 'Top');
    expect(tops).toHaveLength(1);
    const place = { entryGroupId: into, entryId: tops[0]?.entry_id ?? '' };
    const fields = await vault.read.fields(place);
    const shown = fields.map(async (field) => {
      if (field.type !== 'file') return (await vault.read.reveal({ ...place, field })).text;
      const { blob } = await vault.read.openFile({ ...place, field });
      return blob.text();
    });
    const texts = await Promise.all(shown);
    return fields.map(({ title, rev }, at) => [title, rev, texts[at]]);
  };
  const historyOf = async ({ vault }: Mate, title: string) => {
    const into = secret.entryGroupId;
    const top = (await vault.read.entries(into)).find((entry) => entry.title === 'Top');
    const place = { entryGroupId: into, entryId: top?.entry_id ?? '' };
    const field = (await vault.read.fields(place)).find((one) => one.title === title);
    const rows = await vault.read.history({ ...place, field: field! });
    return rows.map(({ event_type, rev, purpose }) => [event_type, rev, purpose]);
  };

  beforeEach(async () => {
    await revised(ada, topFile('first', 'key one', { Hint: 'blue', PIN: '1234' }));
  });

  test('equal values are skipped, others get a revision, what is new is added; undo gives all back', async () => {
    const before = await topOf(ada);
    expect(before.map(([title, rev]) => [title, rev])).toEqual(
      ['Password', 'Hint', 'PIN', 'key.pem'].map((title) => [title, 1]),
    );
    const { operation_id, counts } = await revised(bob, topFile('second', 'key two', { Hint: 'blue', Extra: 'new' }));
    expect(counts).toMatchObject({ entries: 0, fields: 1, updated: 2 });
    expect(await topOf(ada)).toEqual([
      ['Password', 2, 'second'],
      ['Extra', 1, 'new'],
      ['Hint', 1, 'blue'],
      ['PIN', 1, '1234'],
      ['key.pem', 2, 'key two'],
    ]);
    expect(await historyOf(bob, 'Hint')).toContainEqual(['decrypted', 1, 'compare']);
    expect(await historyOf(bob, 'PIN')).not.toContainEqual(['decrypted', 1, 'compare']);

    await bob.write.undo(operation_id);
    expect((await topOf(ada)).map(([title, , text]) => [title, text])).toEqual(
      before.map(([title, , text]) => [title, text]),
    );
  });

  test('an only field of its kind is revised under its own title', async () => {
    const place = {
      entryGroupId: secret.entryGroupId,
      entryId: (await ada.write.createEntry(secret.entryGroupId, 'Deep')).entry_id,
    };
    await ada.write.createField(place, { type: 'password', title: 'Root', login: 'x', value: 'old' });
    const { counts } = await revised(
      ada,
      new Blob([keepassXml({ root: { name: 'R', entries: [{ title: 'Deep', user: 'x', password: 'new' }] } })]),
    );
    expect(counts).toMatchObject({ entries: 0, fields: 0, updated: 1 });
    const [field] = await ada.vault.read.fields(place);
    expect([field?.title, field?.rev]).toEqual(['Root', 2]);
    expect((await ada.vault.read.reveal({ ...place, field: field! })).text).toBe('new');
  });

  test('a link with another address keeps the site rules that a person chose', async () => {
    const place = {
      entryGroupId: secret.entryGroupId,
      entryId: (await ada.write.createEntry(secret.entryGroupId, 'Portal')).entry_id,
    };
    const title = 'URL';
    await ada.write.createField(place, { type: 'password', title: 'Password', login: 'x', value: 'same' });
    await ada.write.createField(place, {
      type: 'link',
      title,
      value: 'https://old.example',
      sites: [{ mode: 'never' }],
    });
    const entry = { title: 'Portal', user: 'x', password: 'same', url: 'https://new.example' };
    const { counts } = await revised(ada, new Blob([keepassXml({ root: { name: 'R', entries: [entry] } })]));
    expect(counts).toMatchObject({ entries: 0, fields: 0, updated: 1 });
    const field = (await ada.vault.read.fields(place)).find(({ type }) => type === 'link');
    expect(await ada.vault.read.reveal({ ...place, field: field! })).toMatchObject({
      text: 'https://new.example',
      sites: [{ mode: 'never' }],
    });
  });

  test('of two equal entries of the file one revises the only existing one, the other is added', async () => {
    const into = secret.entryGroupId;
    await ada.write.createField(
      { entryGroupId: into, entryId: (await ada.write.createEntry(into, 'Deep')).entry_id },
      { type: 'password', title: 'Root', login: 'x', value: 'old' },
    );
    const entries = ['new', 'newer'].map((password) => ({ title: 'Deep', user: 'x', password }));
    const { counts } = await revised(ada, new Blob([keepassXml({ root: { name: 'R', entries } })]));
    expect(counts).toMatchObject({ entries: 1, fields: 1, updated: 1 });
  });

  test('an entry to revise is never added instead, if the worker has another comparison', async () => {
    const { imports } = ada.write;
    const groups = [secret.entryGroupId];
    const read = await imports.read({ file: topFile('second', 'key two'), kind: 'keepass-xml' });
    await imports.compareValues(read.handle, groups, [0], {});
    await ada.keyring.call('pairImport', { handle: read.handle, entries: [] });
    ada.requests.length = 0;
    const into = { groups, sameMembers: false, revise: [0] };
    await expect(imports.store(read.handle, { rootName: '', without: [], into })).rejects.toMatchObject({
      code: 'import_file',
      detail: 'gone',
    });
    expect(ada.requests.filter((request) => request.endsWith('/import'))).toEqual([]);
  });

  test('nothing new changes nothing', async () => {
    const before = await topOf(ada);
    const { counts } = await revised(ada, topFile('first', 'key one', { Hint: 'blue', PIN: '1234' }));
    expect(counts).toMatchObject({ entries: 0, fields: 0, updated: 0 });
    expect(await topOf(ada)).toEqual(before);
  });

  test('a value that others change between comparison and storing is compared again, and not lost', async () => {
    const into = secret.entryGroupId;
    const top = (await bob.vault.read.entries(into)).find(({ title }) => title === 'Top');
    const place = { entryGroupId: into, entryId: top?.entry_id ?? '' };
    const [field] = await bob.vault.read.fields(place);
    let isFirst = true;
    ada.before = async (request) => {
      if (!isFirst || !request.startsWith('POST') || !request.endsWith('/import')) return;
      isFirst = false;
      await bob.write.updateField(
        { ...place, field: field! },
        { type: 'password', title: 'Password', login: 'ada', value: 'of bob' },
      );
    };
    const { counts } = await revised(ada, topFile('second', 'key one', { Hint: 'blue', PIN: '1234' }));
    expect([isFirst, counts.updated]).toEqual([false, 1]);
    expect((await topOf(ada))[0]).toEqual(['Password', 3, 'second']);
  });
});
