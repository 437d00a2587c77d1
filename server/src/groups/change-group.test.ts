import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { get, history, move, removal, remove, rename } from '@passwordbroker/core/contract/groups/entry-groups';
import { auditOf, everything, giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestAnswer } from '../testing/test-client.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const place = (g: string) => ({ params: { g } });
const groupRow = (id: string) =>
  app.deps.db.read.selectFrom('entry_groups').selectAll().where('entry_group_id', '=', id).executeTakeFirstOrThrow();
const moveTo = (who: SignedIn, g: string, target: string | null) =>
  who.call(move, { ...place(g), body: { entryGroupTarget: target } });
const pathOf = (g: string) => `/passwordBroker/api/entryGroups/${g}`;

async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

describe('renaming a group', () => {
  test('changes its name and what search finds', async () => {
    const g = await makeGroup(ada, 'Old');
    const before = await groupRow(g);
    app.clock.advance(1000);
    const answer = await ada.request({ method: 'PUT', path: pathOf(g), json: { name: '  Ünsere Gruppe ' } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(await ada.call(get, place(g)));
    expect(await groupRow(g)).toEqual({
      ...before,
      name: 'Ünsere Gruppe',
      name_folded: 'unsere gruppe',
      updated_at: app.clock.now(),
    });
    expect(await auditOf(app.deps, 'group_renamed', g)).toHaveLength(1);
    const operation = await app.deps.db.read
      .selectFrom('operations')
      .selectAll()
      .where('operation_id', '=', String(answer.headers['x-operation-id']))
      .executeTakeFirstOrThrow();
    expect(operation).toMatchObject({ kind: 'rename', target_kind: 'entry_group', target_id: g, user_id: ada.userId });
    expect(JSON.parse(operation.detail)).toEqual({ from: 'Old', to: 'Ünsere Gruppe', updated_at: before.updated_at });
  });

  test('to its present name is not an operation', async () => {
    const g = await makeGroup(ada, 'Same');
    const before = await everything(app.deps);
    const answer = await ada.request({ method: 'PUT', path: pathOf(g), json: { name: 'Same' } });
    expect([answer.status, answer.headers['x-operation-id']]).toEqual([200, undefined]);
    expect(await everything(app.deps)).toBe(before);
  });

  test('needs a name and an admin', async () => {
    const g = await makeGroup(ada, 'Mine');
    const put = (who: SignedIn, name: unknown) => () => who.call(rename, { ...place(g), body: { name } });
    for (const name of ['', '   ', null])
      await refused(put(ada, name), { status: 422, errors: { name: ['The name is required.'] } });
    await refused(put(ada, 'x'.repeat(256)), {
      status: 422,
      errors: { name: ['The name is too long (at most 255 characters).'] },
    });
    await refused(put(bob, 'Ours'), { code: 'forbidden' });
    await giveRole(app.deps, g, bob.userId, 'moderator');
    await refused(put(bob, 'Ours'), { code: 'forbidden', message: 'You do not have permission to do that' });
  });
});

describe('moving a group', () => {
  test('moves everything below it, including what is in the trash', async () => {
    const [a, b] = [await makeGroup(ada, 'A'), await makeGroup(ada, 'B')];
    const child = await makeGroup(ada, 'Child', a);
    const below = await makeGroup(ada, 'Below', child);
    await ada.call(remove, place(below));
    const before = await groupRow(a);
    const answer = await ada.request({ method: 'PATCH', path: pathOf(a), json: { entryGroupTarget: b } });
    expect(answer.json()).toEqual({ ...(await ada.call(get, place(a))), moved: true });
    expect(await groupRow(a)).toEqual({ ...before, parent_entry_group_id: b, materialized_path: `${b}.${a}` });
    expect((await groupRow(child)).materialized_path).toBe(`${b}.${a}.${child}`);
    expect((await groupRow(below)).materialized_path).toBe(`${b}.${a}.${child}.${below}`);
    expect(await auditOf(app.deps, 'group_moved', a)).toHaveLength(1);
    const row = await app.deps.db.read
      .selectFrom('operations')
      .selectAll()
      .where('operation_id', '=', String(answer.headers['x-operation-id']))
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ kind: 'move', target_kind: 'entry_group', target_id: a, title: 'A' });
    expect(JSON.parse(row.detail)).toEqual({ from_group: null, to_group: b });
    const back = await ada.request({ path: pathOf(a), form: { _method: 'patch', entryGroupTarget: '' } });
    expect(back.json()['moved']).toBe(true);
    expect(await groupRow(a)).toEqual(before);
    expect((await groupRow(below)).materialized_path).toBe(`${a}.${child}.${below}`);
  });

  test('to its present parent, into itself, or below itself changes nothing without an error (T36)', async () => {
    const root = await makeGroup(ada, 'Root');
    const child = await makeGroup(ada, 'Child', root);
    const below = await makeGroup(ada, 'Below', child);
    const before = await everything(app.deps);
    for (const [g, target] of [
      [root, null],
      [root, root],
      [root, child],
      [root, below],
      [child, root],
      [child, child],
      [child, below],
    ] as const) {
      expect(await moveTo(ada, g, target)).toMatchObject({ moved: false });
      expect(await everything(app.deps)).toBe(before);
    }
  });

  test('needs an admin on both sides and a target outside the trash (T36)', async () => {
    const [g, theirs, gone] = [await makeGroup(ada, 'G'), await makeGroup(bob, 'Theirs'), await makeGroup(ada, 'Gone')];
    await ada.call(remove, place(gone));
    const noRight = { code: 'forbidden', message: "You don't have permission to move to that group" };
    await refused(() => moveTo(ada, g, theirs), noRight);
    await giveRole(app.deps, theirs, ada.userId, 'moderator');
    await refused(() => moveTo(ada, g, theirs), noRight);
    for (const target of [UNKNOWN, gone]) {
      await refused(() => moveTo(ada, g, target), {
        code: 'validation',
        errors: { entryGroupTarget: ['The entryGroupTarget does not exist.'] },
      });
    }
    await refused(() => ada.call(move, { ...place(g), body: { entryGroupTarget: 'x' } }), { status: 422 });
    await giveRole(app.deps, g, bob.userId, 'moderator');
    await refused(() => moveTo(bob, g, theirs), { code: 'forbidden' });
    await refused(() => moveTo(ada, gone, null), { code: 'not_found' });
  });

  test('is refused below depth 32, counting groups in the trash', async () => {
    let lowest = await makeGroup(ada, 'depth 1');
    for (let depth = 2; depth <= 30; depth += 1) lowest = await makeGroup(ada, `depth ${depth}`, lowest);
    const top = await makeGroup(ada, 'top');
    const child = await makeGroup(ada, 'child', top);
    const below = await makeGroup(ada, 'below', child);
    await ada.call(remove, place(below));
    await refused(() => moveTo(ada, top, lowest), {
      code: 'conflict',
      message: 'This would put more than 32 groups inside each other. Choose a group higher up.',
    });
    expect(await moveTo(ada, child, lowest)).toMatchObject({ moved: true });
  });

  test('concurrent moves never create a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await makeGroup(ada, 'A'), await makeGroup(ada, 'B')];
      const answers = await Promise.all([moveTo(ada, a, b), moveTo(ada, b, a)]);
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1);
      const rows = [await groupRow(a), await groupRow(b)];
      expect(rows.filter((row) => row.parent_entry_group_id === null)).toHaveLength(1);
    }
  });
});

describe('deleting a group', () => {
  test('hides everything below it from everyone, in one operation', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    const entry = await putEntry(app.deps, child, 'Entry');
    const field = await putField(app.deps, entry, 'Field');
    await giveRole(app.deps, child, bob.userId, 'member');
    const answer = await ada.call(remove, place(g));
    expect(answer).toEqual({
      operation_id: expect.any(String),
      kind: 'delete',
      counts: { entry_groups: 2, entries: 1, fields: 1 },
      undo_until: new Date(app.clock.now() + 30 * 24 * 60 * 60 * 1000).toISOString(),
    });
    for (const [who, id] of [
      [ada, g],
      [ada, child],
      [bob, child],
    ] as const) {
      await expect(who.call(get, place(id))).rejects.toMatchObject({ code: 'not_found' });
    }
    const rows = await app.deps.db.read
      .selectFrom('field_history')
      .select(['event_type', 'user_id'])
      .where('field_id', '=', field)
      .orderBy('field_edit_log_id')
      .execute();
    expect(rows.at(-1)).toEqual({ event_type: 'trashed', user_id: ada.userId });
    expect(await auditOf(app.deps, 'group_deleted', g)).toHaveLength(1);
    await refused(() => ada.call(remove, place(g)), { code: 'not_found' });
  });

  test('needs an admin of every group below it (T102)', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    await giveRole(app.deps, child, bob.userId, 'moderator');
    await makeGroup(bob, "Bob's", child);
    const second = await makeGroup(bob, "Bob's other", child);
    await refused(() => ada.call(remove, place(g)), {
      code: 'conflict',
      message: 'You are not an admin of 2 groups below this one. Ask the admins there to delete or move them first.',
      details: { count: 2 },
    });
    await bob.call(remove, place(second));
    await refused(() => ada.call(remove, place(g)), { details: { count: 1 } });
    await refused(() => bob.call(remove, place(child)), { code: 'forbidden' });
  });

  test('previews what goes with it, without what is in the trash', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    const gone = await makeGroup(ada, 'Gone', g);
    await makeGroup(ada, 'Beside');
    await giveRole(app.deps, child, bob.userId, 'moderator');
    await putField(app.deps, await putEntry(app.deps, child, 'Entry'), 'Field');
    await ada.call(remove, place(gone));
    expect(await ada.call(removal, place(g))).toEqual({
      counts: { entry_groups: 2, entries: 1, fields: 1 },
      users: 2,
    });
    await refused(() => bob.call(removal, place(child)), { code: 'forbidden' });
  });

  test('twice at the same time happens once', async () => {
    const g = await makeGroup(ada, 'G');
    const results = await Promise.allSettled([ada.call(remove, place(g)), ada.call(remove, place(g))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the history of a group', () => {
  test('contains only fields outside the trash, newest first, in pages', async () => {
    const g = await makeGroup(ada, 'G');
    const entry = await putEntry(app.deps, g, 'Entry');
    const first = await putField(app.deps, entry, 'First');
    const second = await putField(app.deps, entry, 'Second');
    const elsewhere = await putEntry(app.deps, await makeGroup(ada, 'Child', g), 'Elsewhere');
    await putField(app.deps, elsewhere, 'Not here');
    const rows = await ada.call(history, place(g));
    expect(rows.map(({ field }) => field.title)).toEqual(['Second', 'First']);
    expect(rows[0]).toEqual({
      field_edit_log_id: expect.any(String),
      field_id: second,
      event_type: 'created',
      rev: 1,
      has_value: true,
      title: 'Second',
      login: 'login',
      user: null,
      created_at: new Date(app.clock.now()).toISOString(),
      field: {
        field_id: second,
        entry_id: entry,
        title: 'Second',
        type: 'password',
        entry: { entry_id: entry, entry_group_id: g, title: 'Entry' },
      },
    });
    expect(await ada.call(history, { ...place(g), query: { limit: 1 } })).toEqual(rows.slice(0, 1));
    const before = rows[0]?.field_edit_log_id;
    expect(await ada.call(history, { ...place(g), query: { before } })).toEqual(rows.slice(1));
    await expect(ada.call(history, { ...place(g), query: { limit: 501 } })).rejects.toMatchObject({ status: 422 });
    await app.deps.db.transact(async (tx) => {
      const operations = await tx.selectFrom('operations').select('operation_id').limit(1).execute();
      const trashed_by = operations[0]?.operation_id ?? '';
      await tx.updateTable('fields').set({ trashed_by }).where('field_id', '=', first).execute();
    });
    expect(await ada.call(history, place(g))).toEqual(rows.slice(0, 1));
    await expect(bob.call(history, place(g))).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('has a Link header: following "next" gives every row once, for groups and fields', async () => {
    const g = await makeGroup(ada, 'G');
    const entry = await putEntry(app.deps, g, 'Entry');
    let field = '';
    for (let n = 0; n < 5; n += 1) field = await putField(app.deps, entry, `Field ${n}`);
    const path = pathOf(g);
    const linksOf = (answer: TestAnswer) =>
      new Map(
        [...String(answer.headers['link']).matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [
          rel,
          url,
        ]),
      );
    const rows: string[] = [];
    const first = `${path}/history?limit=2`;
    const sizes: number[] = [];
    for (let next: string | undefined = first; next !== undefined && sizes.length < 9;) {
      const answer = await ada.request({ path: next });
      const page = answer.json<{ field_edit_log_id: string }[]>();
      rows.push(...page.map(({ field_edit_log_id }) => field_edit_log_id));
      sizes.push(page.length);
      const links = linksOf(answer);
      expect(links.get('first')).toBe(first);
      next = links.get('next');
    }
    expect(sizes).toEqual([2, 2, 1]);
    const all = await ada.call(history, place(g));
    expect(rows).toEqual(all.map(({ field_edit_log_id }) => field_edit_log_id));
    // Exactly as many rows as the limit.
    expect([...linksOf(await ada.request({ path: `${path}/history?limit=5` })).keys()]).toEqual(['first']);
    const ofField = await ada.request({ path: `${path}/entries/${entry}/fields/${field}/history` });
    expect(linksOf(ofField)).toEqual(
      new Map([['first', `${path}/entries/${entry}/fields/${field}/history?limit=200`]]),
    );
  });
});
