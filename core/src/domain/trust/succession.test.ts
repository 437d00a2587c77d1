/** P17: random successions of rosters, read by devices that saw all, some, one or none of them (docs/spec/crypto.md §9). */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { encodeBase64, randomBytes } from '../../crypto/bytes.ts';
import { LONG_TIMEOUT, runsOf } from '../../testing/arbitraries.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { GROUP_ID, type TestRoster, commitOf, nextRoster } from '../../testing/groups/rosters.ts';
import { type Signer, createSharedRsa, createSigner } from '../../testing/signers.ts';
import type { AcceptedRoster } from '../rosters/accepted-rosters.ts';
import { NO_PINS } from './pins.ts';
import { ROLES } from '../policy.ts';
import { acceptRoster } from '../../testing/groups/judged-roster.ts';
import type { RosterContent, RosterMember } from '../rosters/roster.ts';

const PEOPLE = 5;
let people: Signer[];
let outsider: Signer;
beforeAll(async () => {
  const rsa = await createSharedRsa();
  people = await Promise.all(Array.from({ length: PEOPLE }, () => createSigner(rsa)));
  outsider = await createSigner(rsa);
});
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] ?? expect.fail('nothing to pick from');

/**
 * One change: index of the signing admin, the person, the role (null: removed), and whether the key rotates.
 */
const act = fc.record({
  signer: fc.nat(),
  target: fc.nat(PEOPLE - 1),
  role: fc.constantFrom(...ROLES, null),
  rotates: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const adminsOf = ({ members }: RosterContent) =>
  people.filter(({ userId }) => members.some((member) => member.userId === userId && member.role === 'admin'));

/** The rosters of these changes, each signed by an admin of the previous roster who stays admin. */
async function play(acts: readonly Act[]): Promise<TestRoster[]> {
  const rosters = [await nextRoster(pick(people, 0), null)];
  for (const { signer: drawn, target, role, rotates } of acts) {
    const before = pick(rosters, rosters.length - 1);
    const signer = pick(adminsOf(before.content), drawn);
    const person = pick(people, target);
    const others = before.content.members.filter(({ userId }) => userId !== person.userId);
    const changed: RosterMember[] =
      person === signer || role === null
        ? []
        : [{ userId: person.userId, role, fingerprint: person.keyring.fingerprint }];
    const members = person === signer ? before.content.members : [...others, ...changed];
    const gkVersion = before.content.gkVersion + (rotates ? 1 : 0);
    rosters.push(await nextRoster(signer, before, { members, gkVersion, gkCommit: commitOf(gkVersion) }));
  }
  return rosters;
}

const stand = ({ content, hash }: TestRoster): AcceptedRoster => ({ seq: content.seq, hash });
const accept = (accepted: AcceptedRoster | null, shown: readonly TestRoster[]) =>
  acceptRoster({
    groupId: GROUP_ID,
    answer: { origin: 'client', rosters: shown.map(({ wire }) => wire) },
    accepted,
    pins: NO_PINS,
    certificates: [],
    self: outsider.keyring,
  });

test('P17 every device accepts a valid succession, from any roster it has seen', LONG_TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), { minLength: 2, maxLength: 4 }),
      async (acts, devices) => {
        const rosters = await play(acts);
        for (const looks of devices) {
          let accepted: AcceptedRoster | null = null;
          for (const [seq, newest] of rosters.entries()) {
            // Every device reads the last roster.
            if (!looks[seq] && seq < rosters.length - 1) continue;
            const shown = rosters.slice(accepted?.seq ?? seq, seq + 1);
            const acceptance = await accept(accepted, shown);
            expect(acceptance.state).toBe(accepted === null ? 'asked' : 'accepted');
            accepted = stand(newest);
          }
        }
      },
    ),
    { numRuns: runsOf(40, 4000) },
  );
});

type Breaking = (rosters: readonly TestRoster[], seen: number, signer: Signer) => Promise<readonly TestRoster[]>;
const newestOf = (rosters: readonly TestRoster[]) => pick(rosters, rosters.length - 1);
const after = (rosters: readonly TestRoster[], signer: Signer, change: Partial<RosterContent>) =>
  nextRoster(signer, newestOf(rosters), change).then((next) => [...rosters, next]);

/**
 * Breaks each rule of docs/spec/crypto.md §9 once. `signer` is an admin of the newest roster, and of the last
 * accepted one where that matters.
 */
const BROKEN: Record<string, readonly [fault: string, Breaking]> = {
  'a wrong predecessor': ['forked', (all, _, signer) => after(all, signer, { prev: 'ab'.repeat(32) })],
  'a sequence left out': ['forked', (all, _, signer) => after(all, signer, { seq: newestOf(all).content.seq + 2 })],
  'a roster left out': [
    'forked',
    async (all, seen, signer) => {
      const two = await after(await after(all, signer, {}), signer, {});
      return two.toSpliced(seen + 1, 1);
    },
  ],
  'another past': [
    'forked',
    async (all, seen, signer) => {
      const before = seen === 0 ? null : pick(all, seen - 1);
      const other = await nextRoster(signer, before, { members: pick(all, seen).content.members, ts: 1 });
      return [...all.slice(0, seen), other, await nextRoster(signer, other)];
    },
  ],
  'other bytes in its place': [
    'forked',
    async (all, seen, signer) => {
      const before = seen === 0 ? null : pick(all, seen - 1);
      return [await nextRoster(signer, before, { members: pick(all, seen).content.members, ts: 1 })];
    },
  ],
  'a lower key version': [
    'rolled-back',
    async (all, _, signer) => {
      const gkVersion = newestOf(all).content.gkVersion + 1;
      const higher = await after(all, signer, { gkVersion, gkCommit: commitOf(gkVersion) });
      return after(higher, signer, { gkVersion: gkVersion - 1, gkCommit: commitOf(gkVersion - 1) });
    },
  ],
  'another commitment': ['forked', (all, _, signer) => after(all, signer, { gkCommit: commitOf(200) })],
  'a stranger who signs himself in': [
    'signer',
    (all) => {
      const member = { userId: outsider.userId, role: 'admin' as const, fingerprint: outsider.keyring.fingerprint };
      return after(all, { ...outsider }, { members: [...newestOf(all).content.members, member] });
    },
  ],
  'another group': [
    'locked',
    (all, _, signer) => after(all, signer, { groupId: 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff' }),
  ],
  'a forged signature': [
    'locked',
    async (all, _, signer) => {
      const [...forged] = await after(all, signer, {});
      const newest = newestOf(forged);
      const wire = { ...newest.wire, roster_sig_base64: encodeBase64(randomBytes(64)) };
      return [...forged.slice(0, -1), { ...newest, wire }];
    },
  ],
  'nothing any more': ['vanished', async () => []],
};

test.each(Object.entries(BROKEN))(
  'P17 with %s it is refused by every device that saw a roster',
  LONG_TIMEOUT,
  async (_, [fault, breaking]) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 5 }), fc.nat(), fc.nat(), async (acts, drawn, who) => {
        const rosters = await play(acts);
        const seen = drawn % rosters.length;
        const accepted = pick(rosters, seen);
        // An admin before and after, so that only the broken rule can reject it.
        const signers = adminsOf(accepted.content).filter((one) => adminsOf(newestOf(rosters).content).includes(one));
        fc.pre(signers.length > 0);
        const shown = (await breaking(rosters, seen, pick(signers, who))).filter(
          ({ content }) => content.seq >= accepted.content.seq,
        );
        if (fault === 'locked') {
          expect(await errorCodeOf(() => accept(stand(accepted), shown))).toBe('roster');
        } else {
          expect(await accept(stand(accepted), shown)).toMatchObject({ state: 'refused', fault });
        }
      }),
      { numRuns: runsOf(12, 1000) },
    );
  },
);

test('P17 an older roster is a rollback for a device that saw a newer one', LONG_TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), fc.nat(), async (acts, drawn) => {
      const rosters = await play(acts);
      const older = drawn % (rosters.length - 1);
      const acceptance = await accept(stand(newestOf(rosters)), rosters.slice(0, older + 1));
      expect(acceptance).toMatchObject({ state: 'refused', fault: 'rolled-back' });
    }),
    { numRuns: runsOf(20, 1000) },
  );
});
