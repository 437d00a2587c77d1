/**
 * P18: after any changes, members read everything, and removed members read nothing written after
 * the next rotation.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { LONG_TIMEOUT, runsOf } from '../../testing/arbitraries.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import type { StoredGroup } from '../../testing/groups/stored-group.ts';
import { Team } from '../../testing/groups/team.ts';
import { type GroupAction, ROLES, can } from '../policy.ts';

let people: TestPerson[];
beforeAll(async () => {
  people = await somePeople(6);
});

const act = fc.record({
  kind: fc.constantFrom('add', 'add', 'remove', 'rotate', 'write', 'write', 'write', 'move', 'toss'),
  actor: fc.nat(),
  target: fc.nat(),
  group: fc.nat(1),
  role: fc.constantFrom(...ROLES),
  draw: fc.nat(),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] ?? expect.fail('nothing to pick from');
const allowed = (group: StoredGroup, action: GroupAction) =>
  [...group.members.values()].filter(({ role }) => can(role, action)).map(({ person }) => person);

async function perform(team: Team, { kind, actor, target, group: at, role, draw }: Act, now: number): Promise<void> {
  const [group, other] = [pick(team.groups, at), pick(team.groups, at + 1)];
  const admin = pick(allowed(group, 'members.write'), actor);
  const person = pick(team.people, target);
  const isAdmin = group.members.get(person.userId)?.role === 'admin';
  switch (kind) {
    case 'add':
      // The last admin stays admin, and no one demotes themselves here.
      if (!isAdmin) await team.add(admin, group, person, role, now);
      break;
    case 'remove':
      if (group.members.has(person.userId) && !isAdmin) await team.remove(group, person);
      break;
    case 'rotate':
      await team.rotate(admin, group, draw % 3 === 0, now);
      break;
    case 'write':
      await team.write(pick(allowed(group, 'entry.write'), actor), group, draw);
      break;
    case 'move': {
      const both = allowed(group, 'entry.write').filter((one) => allowed(other, 'entry.write').includes(one));
      if (both.length > 0) await team.move(pick(both, actor), group, other, draw);
      break;
    }
    case 'toss':
      team.toss(group, draw);
  }
}

test(
  'P18 every member opens every value and history; a removed one nothing written after the next rotation',
  LONG_TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 6 }),
        fc.array(act, { minLength: 10, maxLength: 30 }),
        async (size, acts) => {
          const team = new Team(people.slice(0, size));
          await team.found([pick(people, 0), pick(people, 1)]);
          await team.write(pick(people, 0), pick(team.groups, 0), 0);
          for (const [at, one] of acts.entries()) await perform(team, one, at * 1000);
          await team.check();
        },
      ),
      { numRuns: runsOf(8, 400) },
    );
  },
);

test('P18 a removed member can read values written before the next rotation, and none after it', async () => {
  const team = new Team(people);
  const [ada, bob] = [pick(people, 0), pick(people, 1)];
  await team.found([ada]);
  const group = pick(team.groups, 0);
  await team.add(ada, group, bob, 'member', 0);
  const { keys } = await team.look(bob, group);
  await team.remove(group, bob);
  await team.write(ada, group, 0);
  await team.rotate(ada, group, true, 0);
  await team.write(ada, group, 0);
  const versions = team.revisions.map(({ gkVersion }) => gkVersion);
  expect([[...keys.keys()], versions]).toEqual([[1], [1, 2]]);
  expect(team.revisions.map(({ closedTo }) => closedTo.length)).toEqual([0, 1]);
  await team.check();
});
