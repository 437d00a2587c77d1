/** Calls for many groups at once give the same results and refusals as one call for each group. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as manyGroups from '@passwordbroker/core/contract/groups/many-groups';
import { me } from '@passwordbroker/core/contract/account/session';
import { sql } from 'kysely';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { changeMembersOfMany } from './change-members.ts';
import { type Sharing, sharing } from './testing/sharing.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let as: Sharing;
let [ada, bob, eve]: SignedIn[] = [];
/**
 * Groups of Ada's: with Bob as a member, without Bob, and in the trash. `eves`: Eve's group with
 * Ada as a moderator.
 */
let shared: string;
let own: string;
let trashed: string;
let eves: string;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
  [shared, own, trashed] = [await groupOf(ada), await groupOf(ada), await groupOf(ada)];
  await as.add(ada, shared, bob, 'member');
  await ada.call(groups.remove, { params: { g: trashed } });
  eves = await groupOf(eve);
  await as.add(eve, eves, ada, 'moderator');
});
afterAll(() => app.stop());

const groupOf = async (person: SignedIn) => (await createSealedPlace(person)).g;
const ids = () => [shared, own, trashed, eves, UNKNOWN];

describe('members', () => {
  test('are the same as for each single group, with each certificate once', async () => {
    const answer = await ada!.call(manyGroups.membersOf, { query: { entry_group_ids: ids() } });
    expect(answer.groups.map(({ entry_group_id }) => entry_group_id).toSorted()).toEqual(
      [shared, own, eves].toSorted(),
    );
    const byFingerprint = new Map(answer.certificates.map((certificate) => [certificate.fpr, certificate]));
    expect(byFingerprint.size).toBe(3);
    expect(answer.certificates).toHaveLength(3);
    for (const { entry_group_id: g, users } of answer.groups) {
      const single = await ada!.call(groups.members, { params: { g } });
      expect(users.map((user) => ({ ...user, certificate: byFingerprint.get(user.fpr ?? '') ?? null }))).toEqual(
        single,
      );
    }
  });

  test('of unknown groups and groups without the caller are left out without an error', async () => {
    const answer = await bob!.call(manyGroups.membersOf, { query: { entry_group_ids: ids() } });
    expect(answer.groups.map(({ entry_group_id }) => entry_group_id)).toEqual([shared]);
    expect(answer.certificates.map(({ user_id }) => user_id).toSorted()).toEqual([ada!.userId, bob!.userId].toSorted());
    const nothing = await bob!.call(manyGroups.membersOf, { query: { entry_group_ids: [own] } });
    expect(nothing).toEqual({ groups: [], certificates: [] });
  });
});

describe('signed lists', () => {
  const listsOf = async (person: SignedIn, query: { entry_group_ids: string; from?: string }) =>
    person.request({
      method: 'GET',
      path: `/passwordBroker/api/rosters?${new URLSearchParams({ ...query }).toString()}`,
    });

  test('are the same as for each single group, from the requested number', async () => {
    const answer = await listsOf(ada!, { entry_group_ids: ids().join(','), from: '0,,,1,' });
    const { rosters } = answer.json<{ rosters: { entry_group_id: string }[] }>();
    const single = (g: string, from?: number) =>
      ada!.call(groups.roster, { params: { g }, query: from === undefined ? {} : { from } });
    const alone = [await single(shared, 0), await single(own), await single(eves, 1)];
    const sorted = <T extends { entry_group_id: string }>(all: readonly T[]) =>
      all.toSorted((a, b) => a.entry_group_id.localeCompare(b.entry_group_id));
    expect(sorted(rosters)).toEqual(sorted(alone));
    expect(alone[0]?.rosters).toHaveLength(2);
  });

  test('contain only the caller’s grants of the caller’s groups', async () => {
    const answer = await listsOf(bob!, { entry_group_ids: ids().join(',') });
    const { rosters } = answer.json<{ rosters: { entry_group_id: string; grants: { user_id: string }[] }[] }>();
    expect(rosters.map(({ entry_group_id }) => entry_group_id)).toEqual([shared]);
    expect(rosters[0]?.grants.map(({ user_id }) => user_id)).toEqual([bob!.userId]);
    expect(answer.text).not.toContain(own);
  });

  test('a group with too many new lists is left out and needs its own call', async () => {
    const g = await groupOf(ada!);
    const seqIs = (roster_seq: number) =>
      app.deps.db.transact((tx) =>
        tx.updateTable('entry_groups').set({ roster_seq }).where('entry_group_id', '=', g).execute(),
      );
    await seqIs(100);
    expect((await listsOf(ada!, { entry_group_ids: g, from: '0' })).json()).toEqual({ rosters: [] });
    expect((await listsOf(ada!, { entry_group_ids: g, from: '1' })).json<{ rosters: [] }>().rosters).toHaveLength(1);
    await seqIs(0);
  });

  test.each(['1', '1,2,3', 'x,1', '-1,1'])('from=%s for two groups: 422', async (from) => {
    const answer = await listsOf(ada!, { entry_group_ids: `${shared},${own}`, from });
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)[0]?.slice(0, 4)]).toEqual([
      422,
      'from',
    ]);
  });
});

describe('operations', () => {
  const act = async (g: string, person: SignedIn, role: 'member' | 'moderator') =>
    ({ entry_group_id: g, ...(await as.bodyOf(ada!, g, person, role)) }) as never;
  const send = (person: SignedIn, acts: readonly never[]) =>
    callWithProof(app, person, manyGroups.addMany, { params: {}, body: { acts: [...acts] } });
  const membersOf = async (g: string) =>
    (await app.deps.db.read.selectFrom('group_members').select('user_id').where('entry_group_id', '=', g).execute())
      .map(({ user_id }) => user_id)
      .toSorted();
  const audit = async () =>
    app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'target_id', 'user_id'])
      .where('event_type', 'in', ['role_granted', 'role_changed', 'access_refused'])
      .orderBy('audit_id')
      .execute();

  test('get the same results as single calls: done, refused for the role, unknown group, conflict', async () => {
    const [first, late, last] = [await groupOf(ada!), await groupOf(ada!), await groupOf(ada!)];
    const stale = await act(late, eve!, 'member');
    await as.add(ada!, late, bob!, 'member');
    await as.add(ada!, last, bob!, 'member');
    const inEves = { ...(stale as object), entry_group_id: eves } as never;
    const acts = [
      await act(first, eve!, 'moderator'),
      inEves,
      { ...(stale as object), entry_group_id: trashed } as never,
      stale,
      await act(last, bob!, 'moderator'),
    ];
    const before = await audit();
    const { results } = await send(ada!, acts);
    expect(
      results.map(({ entry_group_id, status, problem }) => [entry_group_id, status, problem?.code ?? null]),
    ).toEqual([
      [first, 201, null],
      [eves, 403, 'forbidden'],
      [trashed, 404, 'not_found'],
      [late, 409, 'roster_conflict'],
      [last, 200, null],
    ]);
    expect(results[0]?.user).toMatchObject({ user_id: eve!.userId, role: 'moderator' });
    expect(results[3]?.problem?.details).toEqual({ current_seq: 1 });
    expect(await membersOf(first)).toEqual([ada!.userId, eve!.userId].toSorted());
    expect(await membersOf(late)).toEqual([ada!.userId, bob!.userId].toSorted());
    expect(await membersOf(eves)).toEqual([ada!.userId, eve!.userId].toSorted());
    expect((await audit()).slice(before.length)).toEqual([
      { event_type: 'role_granted', target_id: first, user_id: ada!.userId },
      { event_type: 'role_changed', target_id: last, user_id: ada!.userId },
      { event_type: 'access_refused', target_id: eves, user_id: ada!.userId },
    ]);
  });

  test('on the same group run in order: the second sees the result of the first', async () => {
    const [g, other] = [await groupOf(ada!), await groupOf(ada!)];
    const acts = [await act(g, bob!, 'member'), await act(other, bob!, 'member'), await act(g, eve!, 'member')];
    const before = await audit();
    const { results } = await send(ada!, acts);
    expect(results.map(({ status, problem }) => [status, problem?.details ?? null])).toEqual([
      [201, null],
      [201, null],
      [409, { current_seq: 1 }],
    ]);
    const twice = [await act(g, eve!, 'member'), await act(g, eve!, 'moderator')];
    expect((await send(ada!, twice)).results.map(({ status }) => status)).toEqual([201, 409]);
    expect(await membersOf(g)).toEqual([ada!.userId, bob!.userId, eve!.userId].toSorted());
    expect((await audit()).slice(before.length).map(({ target_id }) => target_id)).toEqual([g, other, g]);
  });

  test('of a person who is not an admin are each refused, in every group', async () => {
    const acts = [await act(shared, eve!, 'member'), await act(own, eve!, 'member')];
    const { results } = await send(bob!, acts);
    expect(results.map(({ status, user }) => [status, user])).toEqual([
      [403, null],
      [403, null],
    ]);
    expect(await membersOf(shared)).toEqual([ada!.userId, bob!.userId].toSorted());
    expect(await membersOf(own)).toEqual([ada!.userId]);
  });

  /** A call that was authorised a moment ago. */
  const lateCall = async (person: SignedIn, acts: readonly never[]) => {
    const { session_id: sessionId, user } = await person.call(me);
    const actor = { userId: person.userId, email: user?.email ?? '', sessionId };
    const origin = { address: '127.0.0.1', agentHash: null, userAgent: '', client: null };
    return { deps: app.deps, actor, origin, requestId: 'r', method: 'POST', url: '/', body: { acts } } as never;
  };

  test('of an ended session or a disabled account change nothing', async () => {
    const [g, other] = [await groupOf(ada!), await groupOf(ada!)];
    const call = await lateCall(ada!, [await act(g, bob!, 'member'), await act(other, eve!, 'member')]);
    const of = (column: 'disabled_at' | 'epoch', value: number | null) =>
      app.deps.db.transact((tx) =>
        tx
          .updateTable('users')
          .set({ [column]: value })
          .where('user_id', '=', ada!.userId)
          .execute(),
      );
    const { epoch } = await app.deps.db.read
      .selectFrom('users')
      .select('epoch')
      .where('user_id', '=', ada!.userId)
      .executeTakeFirstOrThrow();
    for (const [column, value, before] of [
      ['disabled_at', 1, null],
      ['epoch', epoch + 1, epoch],
    ] as const) {
      await of(column, value);
      await expect(changeMembersOfMany(call)).rejects.toMatchObject({ code: 'unauthenticated' });
      await of(column, before);
    }
    expect(await membersOf(g)).toEqual([ada!.userId]);
    expect(await membersOf(other)).toEqual([ada!.userId]);
    expect((await changeMembersOfMany(call)).results.map(({ status }) => status)).toEqual([201, 201]);
  });

  test.skipIf(isOnPostgres)(
    'on a full disk (embedded database only): the call is refused and changes nothing',
    async () => {
      const places = await Promise.all(Array.from({ length: 12 }, () => groupOf(ada!)));
      const acts: never[] = [];
      for (const g of places) acts.push(await act(g, bob!, 'member'));
      const call = await lateCall(ada!, acts);
      const roomFor = (pages: string) =>
        app.deps.db.transact((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx));
      await roomFor('1');
      await expect(changeMembersOfMany(call)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
      await roomFor('1073741823');
      for (const g of places) expect(await membersOf(g)).toEqual([ada!.userId]);
      expect((await changeMembersOfMany(call)).results.map(({ status }) => status)).toEqual(places.map(() => 201));
    },
  );

  test('need the proof of an open keyring, like single calls', async () => {
    const acts = [await act(own, eve!, 'member')];
    const answer = await ada!.request({ path: '/passwordBroker/api/groupUsers', json: { acts } });
    expect([answer.status, answer.json()['message']]).toEqual([422, 'MasterPassword is missing']);
    expect(await membersOf(own)).toEqual([ada!.userId]);
  });

  test('with none or more than 100: 422', async () => {
    const one = await act(own, eve!, 'member');
    for (const acts of [[], Array.from({ length: 101 }, () => one)])
      await expect(send(ada!, acts)).rejects.toMatchObject({ code: 'validation' });
    expect(await membersOf(own)).toEqual([ada!.userId]);
  });
});
