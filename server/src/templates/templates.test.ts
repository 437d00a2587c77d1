/** Kinds of entries of a group: rights, limits, and what happens when the group is deleted or moved. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as templates from '@passwordbroker/core/contract/groups/templates';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { auditOf, everything, giveRole, makeGroup } from '../operations/testing/vault.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

const ROUTER = {
  name: ' Router ',
  icon: 'router' as const,
  fields: [
    { type: 'password' as const, title: 'Enable', login: 'Operator' },
    { type: 'link' as const, title: 'Address' },
    { type: 'TOTP' as const, title: 'Code' },
  ],
};

const save = (who: SignedIn, g: string, body: object = ROUTER, t = v7()) =>
  who.request({ method: 'PUT', path: `/passwordBroker/api/entryGroups/${g}/templates/${t}`, json: body });
const saved = async (g: string, name: string) =>
  (await ada.call(templates.save, { params: { g, t: v7() }, body: { ...ROUTER, name } })).template_id;
const listed = (who: SignedIn, g: string) => who.call(templates.listAll, { params: { g } });
const namesIn = async (who: SignedIn, g: string) => (await listed(who, g)).map(({ name }) => name);
const remove = (who: SignedIn, g: string, t: string) => who.call(templates.remove, { params: { g, t } });

async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
/** The texts by member. */
async function problems(g: string, body: object): Promise<unknown> {
  const before = await everything(app.deps);
  const answer = await save(ada, g, body);
  expect(answer.status, answer.text).toBe(422);
  expect(await everything(app.deps)).toBe(before);
  return answer.json<{ errors: unknown }>().errors;
}

test('an admin adds, replaces and deletes a kind; each change is logged once', async () => {
  const g = await makeGroup(ada, 'Network');
  const t = v7();
  const first = (await save(ada, g, ROUTER, t)).json();
  expect(first).toEqual({
    template_id: t,
    entry_group_id: g,
    name: 'Router',
    icon: 'router',
    fields: [
      { type: 'password', title: 'Enable', login: 'Operator' },
      { type: 'link', title: 'Address', login: null },
      { type: 'TOTP', title: 'Code', login: null },
    ],
  });
  expect((await save(ada, g, ROUTER, t)).json()).toEqual(first);
  const renamed = await save(ada, g, { name: 'Switch', fields: [{ type: 'note', title: 'Where' }] }, t);
  expect(await listed(ada, g)).toEqual([renamed.json()]);
  expect(renamed.json()).toMatchObject({ name: 'Switch', icon: null });
  await remove(ada, g, t);
  expect(await listed(ada, g)).toEqual([]);
  await refused(() => remove(ada, g, t), { code: 'not_found' });
  for (const event of ['template_created', 'template_changed', 'template_deleted']) {
    const rows = await auditOf(app.deps, event, g);
    expect(rows.map(({ details }) => JSON.parse(details ?? '') as unknown)).toEqual([{ template_id: t }]);
  }
});

test('a kind of 1,000 fields and a fourth kind are refused with a sentence, and change nothing', async () => {
  const g = await makeGroup(ada, 'Limits');
  const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'note', title: `Field ${at}` }));
  expect(await problems(g, { name: 'Big', fields: fields(1000) })).toEqual({
    fields: ['A kind of entry has 1 to 20 fields.'],
  });
  expect(await problems(g, { name: 'Empty', fields: [] })).toEqual({
    fields: ['A kind of entry has 1 to 20 fields.'],
  });
  const [long, tooLong] = ['x'.repeat(255), 'x'.repeat(256)];
  expect(
    await problems(g, {
      name: tooLong,
      icon: 'skull',
      fields: [
        { type: 'secret', title: '' },
        { type: 'note', title: tooLong, login: 'Login' },
      ],
    }),
  ).toEqual({
    name: ['The name is too long (at most 255 characters).'],
    icon: ['The icon does not exist.'],
    'fields.0.type': ['The type must be one of: password, link, note, file, TOTP.'],
    'fields.0.title': ['The title is required.'],
    'fields.1.title': ['The title is too long (at most 255 characters).'],
    'fields.1.login': ['Only a password has a login.'],
  });
  expect((await save(ada, g, { name: long, fields: fields(20) })).status).toBe(200);
  const second = await saved(g, 'Second');
  // Two parallel calls: one of them would make the fourth kind.
  const both = await Promise.all([save(ada, g), save(ada, g)]);
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.json()).toMatchObject({
    message: 'A group has at most 3 kinds of entries of its own.',
  });
  await remove(ada, g, second);
  expect((await save(ada, g)).status).toBe(200);
});

test('members of the group and of groups below see them, admins change those of their own group', async () => {
  const top = await makeGroup(ada, 'Top');
  const child = await makeGroup(ada, 'Child', top);
  const grandchild = await makeGroup(ada, 'Grandchild', child);
  const ofTop = await saved(top, 'Of the top');
  await saved(child, 'Of the child');
  await saved(grandchild, 'Of the grandchild');
  await giveRole(app.deps, child, bob.userId, 'admin');
  expect(await namesIn(bob, child)).toEqual(['Of the child', 'Of the top']);
  await refused(() => listed(bob, grandchild), { code: 'forbidden' });
  await refused(() => listed(bob, top), { code: 'forbidden' });
  await refused(() => remove(bob, top, ofTop), { code: 'forbidden' });
  await refused(() => remove(bob, child, ofTop), { code: 'not_found' });
  expect((await save(bob, child, ROUTER, ofTop)).json()).toMatchObject({ code: 'id_taken' });
  expect((await save(bob, child)).status).toBe(200);
  for (const role of ['moderator', 'member'] as const) {
    await giveRole(app.deps, child, bob.userId, role);
    expect(await namesIn(bob, child)).toHaveLength(3);
    expect((await save(bob, child)).status).toBe(403);
  }
  expect(await namesIn(ada, grandchild)).toEqual(['Of the grandchild', 'Of the child', 'Router', 'Of the top']);
});

test('they move, go and come back with their group, and are purged with it', async () => {
  const [one, other] = [await makeGroup(ada, 'One'), await makeGroup(ada, 'Other')];
  const child = await makeGroup(ada, 'Child', one);
  await saved(one, 'Of one');
  await saved(other, 'Of the other');
  await saved(child, 'Own');
  await ada.call(groups.move, { params: { g: child }, body: { entryGroupTarget: other } });
  expect(await namesIn(ada, child)).toEqual(['Own', 'Of the other']);
  const { operation_id: operationId } = await ada.call(groups.remove, { params: { g: other } });
  await refused(() => listed(ada, child), { code: 'not_found' });
  await ada.call(operations.restore, { params: { operationId }, body: {} });
  expect(await namesIn(ada, child)).toEqual(['Own', 'Of the other']);
  const again = await ada.call(groups.remove, { params: { g: other } });
  await ada.call(operations.purge, { params: { operationId: again.operation_id } });
  const left = app.deps.db.read.selectFrom('group_templates').selectAll();
  expect(await left.where('entry_group_id', 'in', [child, other]).execute()).toEqual([]);
  expect(await namesIn(ada, one)).toEqual(['Of one']);
});
