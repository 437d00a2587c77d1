/**
 * Random requests by random people through random groups; each response is compared with the
 * oracle's verdict (docs/spec/threats.md §4.1).
 */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Role } from '@passwordbroker/core/domain/policy';
import { giveRole, makeGroup, putEntry, putField } from '../../operations/testing/vault.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import type { TestAnswer } from '../../testing/test-client.ts';
import { judge, type Verdict } from './oracle.ts';
import { type Chance, seeded } from './seeded.ts';
import { changedTables, readStored, type Stored } from './stored.ts';
import { type Drawn, draw } from './walk-requests.ts';
import { type WalkState, readState } from './walk-state.ts';

export interface Walk {
  /** How often each response came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Calls that succeeded at least once. */
  readonly carriedOut: ReadonlySet<string>;
}

export interface Company {
  readonly app: TestApp;
  readonly chance: Chance;
  /** The site admin first. */
  readonly people: readonly SignedIn[];
}

/** An additional check, before the first step and after each. */
type Look = (company: Company, step: number) => Promise<void>;

/** @throws Error with the seed, the step and the request of the first difference */
export async function walkAtRandom(seed: number, steps: number, look: Look = async () => {}): Promise<Walk> {
  const app = await startTestApp();
  try {
    return await walk(app, seeded(seed), { seed, steps, look });
  } finally {
    await app.stop();
  }
}

async function walk(
  app: TestApp,
  chance: Chance,
  { seed, steps, look }: { readonly seed: number; readonly steps: number; readonly look: Look },
): Promise<Walk> {
  const people: SignedIn[] = [];
  for (const name of ['site', 'anna', 'ben', 'cleo', 'dora']) people.push(await app.signUp(name));
  const { userId: adminId } = people[0] ?? { userId: '' };
  for (let count = 0; count < 8; count += 1) await addGroup(app, chance, people);
  const statuses = new Map<number, number>();
  const carriedOut = new Set<string>();
  await look({ app, chance, people }, -1);
  let stored = await readStored(app.deps);
  for (let step = 0; step < steps; step += 1) {
    if (chance.oneIn(8)) {
      await changeSomething(app, chance, people);
      stored = await readStored(app.deps);
    }
    const person = chance.oneIn(12) ? null : chance.of(people);
    const state = await readState(app.deps);
    const drawn = draw(chance, state, person?.masterPassword ?? '');
    const walker = { userId: person?.userId ?? null, isAdmin: person?.userId === adminId };
    const expected = judge(state, walker, drawn);
    const answer = await (person ?? app.guest()).request(drawn.request);
    const after = await readStored(app.deps);
    const fault =
      faultOf(expected, drawn, answer, { before: stored, after }) ?? contentFault(state, walker.userId, drawn, answer);
    if (fault !== null) {
      const { method, path, json } = drawn.request;
      const said = `${method} ${path} ${JSON.stringify(json)}`;
      throw new Error(`Seed ${seed}, step ${step}, ${person?.name ?? 'nobody'}: ${said}: ${fault}`);
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 300) carriedOut.add(drawn.short);
    await look({ app, chance, people }, step);
    stored = look.length === 0 ? after : await readStored(app.deps);
  }
  return { statuses, carriedOut };
}

function faultOf(
  expected: Verdict,
  { short }: Drawn,
  answer: TestAnswer,
  { before, after }: { readonly before: Stored; readonly after: Stored },
): string | null {
  const said = `${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status >= 500) return said;
  const mayLack = answer.status === 404 && expected === 'ok' && OF_SOME.test(short);
  if (!mayLack && !mayAnswer(expected, answer.status)) return `the table says ${expected}, the server ${said}`;
  if (answer.status < 400 && expected !== 'stays') return null;
  const changed = changedTables(before, after);
  return changed.length === 0 ? null : `is ${said} and changes ${changed.join(', ')}`;
}

/** Calls that only files or only some history rows support. */
const OF_SOME = /\/file$|\/history\/:logId\//;

/**
 * An invalid body or state may change the status; the table does not cover that, but it never
 * grants a right.
 */
function mayAnswer(expected: Verdict, status: number): boolean {
  if (expected === 'stays') return status === 200;
  if (expected === 'target') return status === 403 || status === 422;
  if (expected === 'ok') return status < 300 || [400, 409, 412, 422].includes(status);
  return status === expected;
}

/** Lists contain exactly what the caller may see. */
function contentFault(
  state: WalkState,
  userId: string | null,
  { short, params }: Drawn,
  answer: TestAnswer,
): string | null {
  if (answer.status !== 200 || userId === null) return null;
  const own = [...state.groups].filter(([g, { trashedBy }]) => trashedBy === null && state.roleOf(g, userId) !== null);
  const ids = own.map(([g]) => g).toSorted();
  if (short === 'GET B/entryGroups') {
    const listed = answer.json<{ entry_group_id: string }[]>().map(({ entry_group_id }) => entry_group_id);
    return JSON.stringify(listed.toSorted()) === JSON.stringify(ids) ? null : `lists ${listed.join(', ')}`;
  }
  if (short === 'GET B/entryGroupsWithFields') {
    const { data } = answer.json<{ data: { groups: { entry_group_id: string }[] } }>();
    const given = data.groups.map(({ entry_group_id }) => entry_group_id);
    return JSON.stringify(given.toSorted()) === JSON.stringify(ids) ? null : `gives ${given.join(', ')}`;
  }
  const asked = new Set([...state.groups.keys()].slice(0, LIMITS.groupsAtOnce));
  if (short === 'GET B/groupUsers') {
    const { groups } = answer.json<{ groups: { entry_group_id: string; users: { user_id: string }[] }[] }>();
    const given = groups.map(({ entry_group_id }) => entry_group_id);
    if (JSON.stringify(given.toSorted()) !== JSON.stringify(ids.filter((g) => asked.has(g))))
      return `names the members of ${given.join(', ')}`;
    const without = groups.filter(({ users }) => users.every(({ user_id }) => user_id !== userId));
    return without.length === 0 ? null : `leaves the caller out of ${JSON.stringify(without)}`;
  }
  if (short === 'GET B/rosters') {
    const { rosters } = answer.json<{ rosters: { entry_group_id: string; grants: { user_id: string }[] }[] }>();
    const foreign = rosters.filter(
      ({ entry_group_id: g, grants }) => !ids.includes(g) || grants.some(({ user_id }) => user_id !== userId),
    );
    return foreign.length === 0 ? null : `gives ${JSON.stringify(foreign)}`;
  }
  if (short === 'GET B/entrySearch') {
    const { data } = answer.json<{ data: { entry_group_id: string }[] }>();
    const foreign = data.filter(({ entry_group_id }) => !ids.includes(entry_group_id));
    return foreign.length === 0 ? null : `finds ${JSON.stringify(foreign)}`;
  }
  if (short === 'GET B/entries') {
    const entries = answer.json<{ entry_group_id: string }[]>();
    const foreign = entries.filter(({ entry_group_id }) => !ids.includes(entry_group_id));
    return foreign.length === 0 ? null : `gives ${JSON.stringify(foreign)}`;
  }
  if (short === 'GET G/history') {
    const rows = answer.json<{ field: { entry: { entry_group_id: string } } }[]>();
    const foreign = rows.filter(({ field }) => !ids.includes(field.entry.entry_group_id));
    return foreign.length === 0 ? null : `tells ${JSON.stringify(foreign)}`;
  }
  if (short === 'GET E/seenBy' && state.roleOf(params['g'] ?? '', userId) === 'member') {
    const rows = answer.json<{ user: { user_id: string } | null }[]>();
    const foreign = rows.filter(({ user }) => user?.user_id !== userId);
    return foreign.length === 0 ? null : `tells a member ${JSON.stringify(foreign)}`;
  }
  if (short === 'GET B/names') return namesFault(state, userId, ids, answer);
  if (short !== 'GET B/entryGroupsAsTree') return null;
  const way = new Set(ids);
  for (const [g] of own)
    for (let at = state.groups.get(g)?.parent ?? null; at !== null; at = state.groups.get(at)?.parent ?? null)
      way.add(at);
  const shown = [...answer.text.matchAll(/"entry_group_id":"([^"]+)"/g)].map(([, id = '']) => id);
  return JSON.stringify(shown.toSorted()) === JSON.stringify([...way].toSorted()) ? null : `shows ${shown.join(', ')}`;
}

/** Names are of what the person reads or may restore from the trash. @param own groups where the person is a member */
function namesFault(state: WalkState, userId: string, own: readonly string[], answer: TestAnswer): string | null {
  const isNamed = (g: string, isInTrash: boolean) =>
    own.includes(g) && (!isInTrash || state.roleOf(g, userId) !== 'member');
  const { groups, entries, fields } = state;
  const foreign = answer.json<{ id: string }[]>().filter(({ id }) => {
    if (groups.has(id)) return !own.includes(id) && state.roleOf(id, userId) !== 'admin';
    const field = fields.get(id);
    const entry = entries.get(field?.e ?? id);
    return !isNamed(entry?.g ?? '', (entry?.trashedBy ?? null) !== null || (field?.trashedBy ?? null) !== null);
  });
  return foreign.length === 0 ? null : `names ${JSON.stringify(foreign)}`;
}

const ROLES: readonly Role[] = ['member', 'moderator', 'admin'];

async function addGroup(app: TestApp, chance: Chance, people: readonly SignedIn[]): Promise<void> {
  const maker = chance.of(people);
  const { groups, roleOf } = await readState(app.deps);
  const parents = [...groups].filter(
    ([g, { trashedBy }]) => trashedBy === null && ['admin', 'moderator'].includes(roleOf(g, maker.userId) ?? ''),
  );
  const parent = parents.length === 0 || chance.oneIn(3) ? null : chance.of(parents)[0];
  const g = await makeGroup(maker, 'walk', parent);
  for (const person of people) {
    if (person !== maker && chance.oneIn(2)) await giveRole(app.deps, g, person.userId, chance.of(ROLES));
  }
  for (let count = chance.below(3); count >= 0; count -= 1) {
    const e = await putEntry(app.deps, g, 'walk');
    if (chance.oneIn(2)) await putField(app.deps, e, 'walk');
  }
}

/** Changes a role in a group directly in the tables, or adds a group. */
async function changeSomething(app: TestApp, chance: Chance, people: readonly SignedIn[]): Promise<void> {
  if (chance.oneIn(2)) {
    await addGroup(app, chance, people);
    return;
  }
  const { groups } = await readState(app.deps);
  await giveRole(app.deps, chance.of([...groups.keys()]), chance.of(people).userId, chance.of(ROLES));
}
