import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { scriptOf } from '../server-crypto/testing/script.ts';
import { type SeededPerson, NotEmpty, seed } from './seed.ts';

describe('the demonstration team', () => {
  let app: TestApp;
  let people: readonly SeededPerson[];
  beforeAll(async () => {
    app = await startTestApp();
    people = await seed(app.app, app.deps);
  });
  afterAll(() => app.stop());
  const person = (key: string) => people.find((one) => one.key === key)!;
  const treesOf = async (key: string) => (await person(key).caller.call(entryGroups.tree)).trees;
  const find = (nodes: readonly TreeNode[], title: string): TreeNode | undefined =>
    nodes.find((node) => node.title === title) ??
    nodes.map((node) => find(node.children, title)).find((node) => node !== undefined);

  test('has every role, including guests with hidden branches', async () => {
    const trees = await treesOf('mira');
    const roles = ['Engineering', 'Clients', 'Alder & Finch', 'Nordhavn Museum', 'Tessel Health', 'Finance'].map(
      (title) => [title, find(trees, title)?.role],
    );
    expect(roles).toEqual([
      ['Engineering', 'admin'],
      ['Clients', 'guest'],
      ['Alder & Finch', 'member'],
      ['Nordhavn Museum', 'moderator'],
      ['Tessel Health', undefined],
      ['Finance', 'moderator'],
    ]);
  });

  test('opens every group with its signed roster, for each member', async () => {
    let opened = 0;
    for (const { caller, keyring } of people) {
      for (const { entry_group_id } of await caller.call(entryGroups.listAll)) {
        const wire = await caller.call(entryGroups.roster, { params: { g: entry_group_id } });
        const { roster } = await openGroup(keyring, wire, entry_group_id);
        expect(roster?.members.some((member) => member.userId === keyring.userId)).toBe(true);
        opened += 1;
      }
    }
    expect(opened).toBeGreaterThan(20);
  });

  test('lets a member read all five kinds of values that another one sealed', async () => {
    const { masterPassword, email, password } = person('tomas');
    const client = app.guest();
    await client.request({ path: '/identity/api/login', json: { email, password } });
    const script = scriptOf(client, { email, password, masterPassword });
    const g = find(await treesOf('tomas'), 'Production')!.entry_group_id;
    const ledger = (await client.call(entries.listAll, { params: { g } })).find(
      (one) => one.title === 'Billing ledger, primary',
    );
    const place = { g, e: ledger!.entry_id };
    const all = await client.call(fields.listAll, { params: place });
    expect(new Set(all.map((field) => field.type))).toEqual(new Set(['password', 'link', 'note', 'file', 'TOTP']));
    for (const { field_id } of all) expect((await script.decrypt({ ...place, f: field_id })).status).toBe(200);
  });

  test('has an audit log row for every membership beside the creator’s', async () => {
    const { read } = app.deps.db;
    const members = await read
      .selectFrom('group_members')
      .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
      .select(['group_members.entry_group_id', 'group_members.user_id', 'entry_groups.created_by'])
      .execute();
    const given = members.filter(({ user_id, created_by }) => user_id !== created_by);
    const events = await read.selectFrom('audit_log').selectAll().where('event_type', '=', 'role_granted').execute();
    expect(given.length).toBeGreaterThan(20);
    const told = events.map(({ user_id: actor, target_id, details }) => {
      const { user_id } = JSON.parse(details ?? '{}') as { user_id: string };
      return `${target_id} ${user_id} by ${actor}`;
    });
    const wanted = given.map((one) => `${one.entry_group_id} ${one.user_id} by ${one.created_by}`);
    expect(told.toSorted()).toEqual(wanted.toSorted());
  });

  test('is created only in an empty database', async () => {
    await expect(seed(app.app, app.deps)).rejects.toBeInstanceOf(NotEmpty);
  });
});
