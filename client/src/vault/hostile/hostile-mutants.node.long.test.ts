/**
 * The histories of M80 find planted weaknesses: with a rule of the trust engine removed, attackers can open something. Weaknesses in rules that other rules
 * also cover (key proofs, no proof, a faulty record, `left`, removals) are planted in `judge-group.test.ts`. Mocks take `import(…)`, so that the compiler
 * rejects a path that does not exist; Vitest would ignore it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { GroupTrust, judgeGroup, ShownGroup, TrustMemory } from '@passwordbroker/core/domain/trust/judge-group';
import { hireAttackers } from '../../testing/hostile/attackers.node.ts';
import { type Aim, historiesOf } from '../../testing/hostile/history.node.ts';
import { play } from '../../testing/hostile/play.node.ts';
import { playPast, type Past } from '../../testing/hostile/past.node.ts';

type Judge = typeof judgeGroup;
type Weakness = 'none' | 'unasked' | 'undo' | 'versions';

/** The weakness that is planted now. */
const planted = vi.hoisted(() => ({
  judge: (judge: Judge): Judge => judge,
  weakness: 'none' as Weakness,
}));

vi.mock(import('@passwordbroker/core/domain/trust/judge-group'), async (original) => {
  const real = await original();
  return { ...real, judgeGroup: ((...input) => planted.judge(real.judgeGroup)(...input)) satisfies Judge };
});
vi.mock(import('../../keyring/trust/judging.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    requireKnownBefore: ((...input) => {
      if (planted.weakness !== 'unasked') real.requireKnownBefore(...input);
    }) satisfies typeof real.requireKnownBefore,
  };
});
vi.mock(import('../../keyring/revisions/resealing.ts'), async (original) => {
  const real = await original();
  const trust = { state: 'confirmed', how: 'remembered' } as const;
  return {
    ...real,
    rewrapRows: ((from, to, ...rest) =>
      planted.weakness === 'undo'
        ? real.rewrapRows({ ...from, trust }, { ...to, trust }, ...rest)
        : real.rewrapRows(from, to, ...rest)) satisfies typeof real.rewrapRows,
  };
});
vi.mock(import('@passwordbroker/core/domain/groups/rotation'), async (original) => {
  const real = await original();
  return {
    ...real,
    openGroupVersions: ((keyring, group, commitments) =>
      planted.weakness === 'versions' && commitments !== null
        ? real.openGroupVersions(keyring, group, { ...commitments, byVersion: new Map(), uncommittedBelow: Infinity })
        : real.openGroupVersions(keyring, group, commitments)) satisfies typeof real.openGroupVersions,
  };
});

const changing =
  (change: (shown: ShownGroup, memory: TrustMemory) => [ShownGroup, TrustMemory]) =>
  (judge: Judge): Judge =>
  (shown, memory) =>
    judge(...change(shown, memory));

interface Mutant {
  readonly judge?: (judge: Judge) => Judge;
  readonly weakness?: Weakness;
  readonly aim: Aim;
}

const taking =
  (isTaken: (trust: GroupTrust) => boolean) =>
  (judge: Judge): Judge =>
  (shown, memory) => {
    const trust = judge(shown, memory);
    return isTaken(trust) ? { state: 'confirmed', how: 'remembered' } : trust;
  };

const MUTANTS: readonly [string, Mutant][] = [
  [
    'the first signer of a group is trusted (D2)',
    {
      judge: taking((trust) => trust.state === 'unconfirmed' && trust.why === 'new'),
      aim: { kind: 'never', hasColluder: false, lies: ['own', 'twin', 'append'], acts: ['write'] },
    },
  ],
  [
    'paths are not checked',
    {
      judge: changing((shown, memory) => [{ ...shown, path: [shown.groupId] }, memory]),
      aim: { kind: 'never', hasColluder: true, lies: ['twin'], by: 'colluder', acts: ['write'] },
    },
  ],
  [
    'each signer of a chain is accepted',
    {
      judge: taking((trust) => trust.state === 'disputed' && trust.why === 'signer'),
      aim: { kind: 'never', hasColluder: false, lies: ['append'], acts: ['write'] },
    },
  ],
  [
    'forks and older lists are accepted',
    {
      judge: taking((trust) => trust.state === 'disputed' && ['forked', 'rolled-back'].includes(trust.why)),
      aim: { kind: 'never', hasColluder: false, lies: ['own'], acts: ['write'] },
    },
  ],
  [
    'groups that the server created are written to (D7)',
    {
      judge: taking((trust) => trust.state === 'unsigned' || (trust.state === 'disputed' && trust.why === 'vanished')),
      aim: { kind: 'never', hasColluder: false, lies: ['vanish'], acts: ['write'] },
    },
  ],
  ['a due rotation is made without asking (D6)', { weakness: 'unasked', aim: { lies: ['due', 'append'] } }],
  [
    'a move is allowed into any group (F4)',
    {
      weakness: 'undo',
      aim: { kind: 'never', hasColluder: false, lies: ['twin', 'undo'], acts: ['move', 'undo from journal'] },
    },
  ],
  [
    'a version opens without a commitment (V6)',
    { weakness: 'versions', aim: { kind: 'never', hasColluder: false, lies: ['version'], acts: ['read', 'history'] } },
  ],
];

const worlds: { past: Past; hire: Awaited<ReturnType<typeof hireAttackers>> }[] = [];
beforeAll(async () => {
  for (const seed of [1, 2]) {
    const past = await playPast(seed);
    worlds.push({ past, hire: await hireAttackers(past) });
  }
}, 120_000);
afterAll(async () => {
  for (const { past } of worlds) await past.stop();
});

test.each(MUTANTS)(
  'M80 the histories find the planted weakness: %s',
  { timeout: 300_000 },
  async (_, { judge, weakness, aim }) => {
    Object.assign(planted, { judge: judge ?? ((real: Judge) => real), weakness: weakness ?? 'none' });
    const found = await fc.check(
      fc.asyncProperty(fc.nat({ max: worlds.length - 1 }), historiesOf(aim), async (which, told) => {
        expect((await play(worlds[which]!, told)).violations).toEqual([]);
      }),
      { numRuns: 100, seed: 1, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  },
);

test('without a weakness the same histories find nothing', { timeout: 300_000 }, async () => {
  Object.assign(planted, { judge: (real: Judge) => real, weakness: 'none' });
  for (const [, { aim }] of MUTANTS) {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: worlds.length - 1 }), historiesOf(aim), async (which, told) => {
        expect((await play(worlds[which]!, told)).violations).toEqual([]);
      }),
      { numRuns: 2, seed: 1 },
    );
  }
});
