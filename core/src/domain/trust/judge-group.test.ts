/**
 * P26: property tests of `judgeGroup` in a model that knows which lists are honest; and a table
 * with one row per state.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALICE,
  asGhost,
  BOB,
  CAROL,
  FALSE_ALICE,
  GHOST,
  groupId,
  HONEST_ACTS,
  honestLists,
  keyOf,
  ME,
  modelMember,
  nextList,
  shownWith,
  type ModelList,
} from '../../testing/groups/trust-world.ts';
import { mergeTrust } from './merge-trust.ts';
import { judgeGroup, type GroupTrust, type ShownGroup, type TrustMemory } from './judge-group.ts';
import {
  EMPTY_RECORD,
  type AcceptedList,
  type KeyWay,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
  withDeletedGroup,
  withLeft,
  withListInstead,
  withRemoval,
} from './trust-record.ts';

const T = 1_795_000_000;
const [G1, G2] = [groupId(1), groupId(2)];
const PATH = ['Team', 'Production'];

const decided = (record: TrustRecord, userId: string, way: KeyWay = 'first-use', at = T, fingerprint = keyOf(userId)) =>
  withDecidedKey(record, { userId, name: userId, fingerprint }, way, at);

const rowOf = ({ shown: { content, hash } }: ModelList, path = PATH): AcceptedList => ({
  groupId: content.groupId,
  hash,
  seq: content.seq,
  gkVersion: content.gkVersion,
  role: content.members.find(({ userId }) => userId === ME)?.role ?? null,
  hasProof: content.hasProof === true,
  path,
  origin: 'client',
  how: 'signer',
});

/** The record after accepting these lists one after another, as clients do. */
function accepting(record: TrustRecord, lists: readonly ModelList[], path = PATH): TrustRecord {
  return lists.reduce((known, list, at) => {
    const before = lists[at - 1]?.shown.content.members ?? [];
    const present = new Set(list.shown.content.members.map(({ userId }) => userId));
    const gone = before.flatMap(({ userId }) => (present.has(userId) ? [] : [userId]));
    return withLeft(withAcceptedList(known, rowOf(list, path), T + at), gone, T + at);
  }, record);
}

const memory = (record: TrustRecord | null, more: Partial<TrustMemory> = {}): TrustMemory => ({
  record,
  self: { userId: ME, fingerprint: keyOf(ME) },
  isStrict: false,
  openLists: [],
  admins: new Map(),
  ...more,
});

const show = (lists: readonly ModelList[], more: Partial<ShownGroup> = {}, isSecretHeld = false): ShownGroup => ({
  ...shownWith(lists, { group: G1, path: PATH, isSecretHeld }),
  ...more,
});

/**
 * Lists that a server can append: signed with its own keys, under its own secret or, without a
 * proof, under the real commitment.
 */
interface Forgery {
  readonly signer: 'ghost' | 'false-alice';
  readonly isRotation: boolean;
  readonly hasProof: boolean;
  readonly beginsAnew: boolean;
  readonly keepsMembers: boolean;
  readonly supersedes: boolean;
}

describe('a server alone never gets a list confirmed that no member made (P26)', () => {
  const forgery: fc.Arbitrary<Forgery> = fc.record({
    signer: fc.constantFrom('ghost' as const, 'false-alice' as const),
    isRotation: fc.boolean(),
    hasProof: fc.boolean(),
    beginsAnew: fc.boolean(),
    keepsMembers: fc.boolean(),
    supersedes: fc.boolean(),
  });
  const world = fc.record({
    acts: fc.array(fc.constantFrom(...HONEST_ACTS), { maxLength: 6 }),
    proofFrom: fc.nat({ max: 3 }),
    /** How many honest lists the record has seen; null for none. */
    seen: fc.option(fc.nat({ max: 7 }), { nil: null }),
    isAliceDecided: fc.boolean(),
    shownUntil: fc.nat({ max: 7 }),
    forgeries: fc.array(forgery, { maxLength: 3 }),
    isStrict: fc.boolean(),
    isRecordThere: fc.boolean(),
    hidesOlder: fc.boolean(),
  });

  function forge(before: ModelList | null, from: Forgery, honest: readonly ModelList[]): ModelList {
    const base = from.beginsAnew ? null : before;
    const [signer, key] = from.signer === 'ghost' ? [GHOST, keyOf(GHOST)] : [ALICE, FALSE_ALICE];
    const others = from.keepsMembers ? (before?.shown.content.members ?? []) : [modelMember(ME, 'admin')];
    const members = [
      ...others.filter(({ userId }) => userId !== signer),
      { ...asGhost(signer, 'admin'), fingerprint: key },
    ];
    return nextList(base, {
      group: G1,
      members: members.some(({ userId }) => userId === ME) ? members : [...members, modelMember(ME, 'member')],
      signer,
      key,
      isRotation: from.isRotation,
      isHonest: false,
      proofFrom: from.hasProof ? 0 : 1_000,
      ...(from.supersedes ? { supersedes: honest.slice(-8).map(({ shown }) => shown.hash) } : {}),
    });
  }

  test('for records of any age or none, and any order of honest and forged lists', () => {
    let confirmations = 0;
    fc.assert(
      fc.property(world, (w) => {
        const honest = honestLists(G1, w.acts, w.proofFrom);
        let lists: readonly ModelList[] = honest.slice(0, w.shownUntil + 1);
        const real = new Set(honest.map(({ secret }) => secret));
        for (const one of w.forgeries) {
          const next = forge(lists.at(-1) ?? null, one, honest);
          lists = next.shown.content.seq === 0 ? [next] : [...lists, next];
        }
        const newest = lists.at(-1) as ModelList;
        const known = w.seen === null ? EMPTY_RECORD : accepting(EMPTY_RECORD, honest.slice(0, w.seen + 1));
        const record = w.isAliceDecided ? decided(known, ALICE) : known;
        const shown = show(w.hidesOlder ? lists.slice(-1) : lists, {}, !newest.isHonest && !real.has(newest.secret));
        const trust = judgeGroup(shown, memory(w.isRecordThere ? record : null, { isStrict: w.isStrict }));
        if (trust.state !== 'confirmed') return;
        confirmations += 1;
        expect(newest.isHonest).toBe(true);
        // Never a list older than the accepted one.
        expect(newest.shown.content.seq).toBeGreaterThanOrEqual(Math.min(w.seen ?? 0, honest.length - 1));
        // An unknown group needs a key proof and a decided key of the signer.
        if (w.seen === null) expect([shown.proof, w.isAliceDecided, w.isStrict]).toEqual(['right', true, false]);
      }),
      { numRuns: 20_000 },
    );
    // A judge that never confirms would pass without this.
    expect(confirmations).toBeGreaterThan(500);
  });

  test('with a removed admin as accomplice, only a record from before the removal is deceived (L1)', () => {
    let deceived = 0;
    fc.assert(
      fc.property(
        fc.record({
          before: fc.array(fc.constantFrom('add-bob', 'rotate'), { maxLength: 2 }),
          after: fc.array(fc.constantFrom('add-bob', 'rotate', 'remove-bob'), { maxLength: 2 }),
          seen: fc.option(fc.nat({ max: 7 }), { nil: null }),
          isCarolDecided: fc.boolean(),
          from: fc.nat({ max: 7 }),
          isRotation: fc.boolean(),
        }),
        (w) => {
          const acts = ['add-carol', ...w.before, 'remove-carol', ...w.after] as const;
          const honest = honestLists(G1, acts, 0);
          const removedAt = 2 + w.before.length;
          const base = honest[Math.min(w.from, honest.length - 1)] as ModelList;
          // Carol can make proofs for versions that she held, and for those that she makes.
          const held = base.shown.content.seq < removedAt || w.isRotation;
          const members = [modelMember(CAROL, 'admin'), modelMember(ME, 'member')];
          const forged = nextList(base, {
            group: G1,
            members,
            signer: CAROL,
            isHonest: false,
            isRotation: w.isRotation,
          });
          const lists = [...honest.slice(0, honest.indexOf(base) + 1), forged];
          const known = w.seen === null ? EMPTY_RECORD : accepting(EMPTY_RECORD, honest.slice(0, w.seen + 1));
          const record = w.isCarolDecided ? decided(known, CAROL, 'words', T - 100) : known;
          const trust = judgeGroup(show(lists, {}, held), memory(record));
          if (trust.state !== 'confirmed') return;
          deceived += 1;
          const isMemoryOld = w.seen !== null && w.seen < removedAt;
          const isMet = w.seen === null && w.isCarolDecided;
          expect(isMemoryOld || isMet).toBe(true);
        },
      ),
      { numRuns: 10_000 },
    );
    expect(deceived).toBeGreaterThan(100);
  });

  test('any input gives a state, never an error', () => {
    const text = fc.constantFrom<string>('', 'x', ME, ALICE, GHOST, G1, 'a'.repeat(64));
    const hash = fc.constantFrom('a'.repeat(64), 'b'.repeat(64));
    const list = fc.record({
      content: fc.record({
        groupId: text,
        seq: fc.integer(),
        prev: hash,
        gkVersion: fc.integer(),
        gkCommit: hash,
        members: fc.array(fc.record({ userId: text, role: fc.constantFrom('admin', 'member'), fingerprint: hash })),
        signer: text,
        ts: fc.integer(),
      }),
      hash,
      signedBy: fc.option(fc.array(hash, { maxLength: 2 }), { nil: null }),
    });
    const shown = fc.record({
      groupId: text,
      path: fc.array(text),
      origin: fc.constantFrom('client', 'server'),
      lists: fc.oneof(fc.constant('broken' as const), fc.array(list, { maxLength: 3 })),
      keyFits: fc.boolean(),
      proof: fc.constantFrom('right', 'wrong', 'none'),
    });
    fc.assert(
      fc.property(shown, fc.boolean(), (group, isThere) => {
        const record = isThere ? accepting(decided(EMPTY_RECORD, ALICE), honestLists(G1, ['add-bob'], 0)) : null;
        const { state } = judgeGroup(group as ShownGroup, memory(record));
        expect(['confirmed', 'unconfirmed', 'unsigned', 'disputed', 'locked']).toContain(state);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the states', () => {
  const honest = honestLists(G1, ['add-bob', 'add-carol', 'rotate'], 0);
  const [birth, , withCarol, newest] = honest as [ModelList, ModelList, ModelList, ModelList];
  const known = accepting(EMPTY_RECORD, honest.slice(0, 3));
  const met = decided(EMPTY_RECORD, ALICE);
  const mine = nextList(null, { group: G1, members: [modelMember(ME, 'admin')], signer: ME });
  const old = honestLists(G1, ['add-bob'], 9);
  const ghostList = (base: ModelList, more = {}) =>
    nextList(base, {
      group: G1,
      members: [modelMember(ME, 'member'), asGhost(GHOST, 'admin')],
      signer: GHOST,
      isRotation: true,
      isHonest: false,
      ...more,
    });
  const rotated = nextList(birth, {
    group: G1,
    members: birth.shown.content.members,
    signer: ALICE,
    isRotation: true,
    supersedes: [newest.shown.hash],
  });
  const adminsOf = ({ shown: { hash, content } }: ModelList) =>
    new Map([[hash, content.members.filter(({ role }) => role === 'admin')]]);
  const removed = withRemoval(known, { groupId: G1, userId: CAROL, isOut: true }, T + 10);
  const elsewhere = accepting(met, [nextList(null, { group: G2, members: [modelMember(ME, 'admin')], signer: ME })]);
  const gone = (list: ModelList): ModelList => ({ ...list, shown: { ...list.shown, signedBy: null } });
  const bobAdmin = [modelMember(ME, 'member'), modelMember(BOB, 'admin')];
  const asBob = nextList(newest, { group: G1, members: bobAdmin, signer: ALICE, isRotation: true, isHonest: false });

  const ROWS: readonly [string, ShownGroup, TrustMemory, GroupTrust][] = [
    ['a list that follows the accepted one', show(honest), memory(known), { state: 'confirmed', how: 'remembered' }],
    [
      'two heads of one chain',
      show(honest),
      memory({
        ...known,
        groups: {
          [G1]: { ...known.groups[G1]!, heads: { [birth.shown.hash]: [0, T], [withCarol.shown.hash]: [2, T] } },
        },
      }),
      { state: 'confirmed', how: 'remembered' },
    ],
    ['a group of the person alone', show([mine]), memory(EMPTY_RECORD), { state: 'confirmed', how: 'alone' }],
    ['a decided signer', show(honest), memory(met), { state: 'confirmed', how: 'signer' }],
    [
      'a decided signer who was not compared, in strict mode',
      show(honest),
      memory(met, { isStrict: true }),
      { state: 'unconfirmed', why: 'new' },
    ],
    [
      'a compared signer, in strict mode',
      show(honest),
      memory(decided(EMPTY_RECORD, ALICE, 'words'), { isStrict: true }),
      { state: 'confirmed', how: 'signer' },
    ],
    [
      'members who are all in an open group',
      show(honest),
      memory(EMPTY_RECORD, { openLists: [newest.shown.content] }),
      { state: 'confirmed', how: 'within' },
    ],
    [
      'a signer who is no admin in the open group',
      show([
        nextList(null, { group: G1, members: [modelMember(BOB, 'admin'), modelMember(ME, 'member')], signer: BOB }),
      ]),
      memory(EMPTY_RECORD, { openLists: [newest.shown.content] }),
      { state: 'unconfirmed', why: 'new' },
    ],
    ['an unknown signer', show(honest), memory(EMPTY_RECORD), { state: 'unconfirmed', why: 'new' }],
    [
      'a signer who has left since then',
      show(honest),
      memory(withLeft(met, [ALICE], T + 1)),
      { state: 'unconfirmed', why: 'left' },
    ],
    [
      'a signer who left and was decided again',
      show(honest),
      memory(decided(withLeft(met, [ALICE], T + 1), ALICE, 'first-use', T + 2)),
      { state: 'confirmed', how: 'signer' },
    ],
    [
      'a signer who left one group and is in an open list',
      show(honest),
      memory(withLeft(met, [ALICE], T + 1), { openLists: [birth.shown.content] }),
      { state: 'confirmed', how: 'signer' },
    ],
    [
      'a new group at the path of another',
      show(honest, { path: ['team', 'PRODUCTION'] }),
      memory(elsewhere),
      { state: 'unconfirmed', why: 'same-path' },
    ],
    [
      'a new group at the path of a group that this account deleted',
      show(honest),
      memory(withDeletedGroup(elsewhere, G2, T + 9)),
      { state: 'confirmed', how: 'signer' },
    ],
    [
      'a known group, shown at the path of another',
      show(honest, { path: ['Other'] }),
      memory(
        accepting(known, [nextList(null, { group: G2, members: [modelMember(ME, 'admin')], signer: ME })], ['Other']),
      ),
      { state: 'unconfirmed', why: 'same-path' },
    ],
    [
      'a known group that was renamed',
      show(honest, { path: ['Team', 'Live'] }),
      memory(known),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'a known group whose path was not shown before, at the path of another',
      show(honest),
      memory({ ...elsewhere, groups: { ...elsewhere.groups, ...accepting(EMPTY_RECORD, honest, []).groups } }),
      { state: 'unconfirmed', why: 'same-path' },
    ],
    ['a list of release 1.0 of a decided signer', show(old), memory(met), { state: 'unconfirmed', why: 'no-proof' }],
    [
      'a list of release 1.0 that the record knows',
      show(old),
      memory(accepting(EMPTY_RECORD, old)),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'a missing certificate between the lists',
      show([
        withCarol,
        gone(
          nextList(withCarol, {
            group: G1,
            members: [modelMember(ME, 'member'), modelMember(BOB, 'admin')],
            signer: CAROL,
          }),
        ),
        nextList(nextList(withCarol, { group: G1, members: [], signer: CAROL }), {
          group: G1,
          members: [modelMember(ME, 'member'), modelMember(BOB, 'admin')],
          signer: BOB,
        }),
      ]),
      memory(known),
      { state: 'unconfirmed', why: 'gap' },
    ],
    [
      'a missing certificate, and a newest signer who was confirmed once and left since then',
      show([newest, gone(asBob), nextList(asBob, { group: G1, members: bobAdmin, signer: BOB })], {}, true),
      memory(withLeft(decided(accepting(EMPTY_RECORD, honest), BOB), [BOB], T + 9)),
      { state: 'unconfirmed', why: 'left' },
    ],
    ['a group that the server created', show([], { origin: 'server' }), memory(EMPTY_RECORD), { state: 'unsigned' }],
    [
      'no list where one was accepted',
      show([], { origin: 'server' }),
      memory(known),
      { state: 'disputed', why: 'vanished' },
    ],
    ['no list of a group that a client created', show([]), memory(EMPTY_RECORD), { state: 'locked', why: 'roster' }],
    ['an older list', show(honest.slice(0, 2)), memory(known), { state: 'disputed', why: 'rolled-back' }],
    [
      'another list at an accepted place',
      show([
        birth,
        nextList(birth, {
          group: G1,
          members: [modelMember(ALICE, 'admin'), modelMember(ME, 'member')],
          signer: ALICE,
        }),
      ]),
      memory(accepting(EMPTY_RECORD, honest.slice(0, 2))),
      { state: 'disputed', why: 'forked' },
    ],
    [
      'two accepted heads that are not linked',
      show(honest),
      memory({
        ...known,
        groups: { [G1]: { ...known.groups[G1]!, heads: { ...known.groups[G1]!.heads, ['e'.repeat(64)]: [2, T] } } },
      }),
      { state: 'disputed', why: 'forked' },
    ],
    [
      'a list signed by a person who was no admin',
      show([...honest, ghostList(newest)], {}, true),
      memory(known),
      { state: 'disputed', why: 'signer' },
    ],
    [
      'a version that is lower than in an accepted list',
      show([
        ...honest,
        {
          ...newest,
          shown: {
            ...nextList(newest, { group: G1, members: newest.shown.content.members, signer: ALICE }).shown,
            content: {
              ...nextList(newest, { group: G1, members: newest.shown.content.members, signer: ALICE }).shown.content,
              gkVersion: 1,
            },
          },
        },
      ]),
      memory(known),
      { state: 'disputed', why: 'rolled-back' },
    ],
    [
      'a list without a proof after one with a proof',
      show([
        ...honest,
        nextList(newest, { group: G1, members: newest.shown.content.members, signer: ALICE, proofFrom: 99 }),
      ]),
      memory(known),
      { state: 'disputed', why: 'proof' },
    ],
    [
      'a list without a proof after one with a proof, in a group unknown to the record',
      show([
        ...honest,
        nextList(newest, { group: G1, members: newest.shown.content.members, signer: ALICE, proofFrom: 99 }),
      ]),
      memory(met),
      { state: 'locked', why: 'roster' },
    ],
    [
      'no proof, although the record saw one',
      show(old),
      memory({ ...known, groups: { [G1]: { ...accepting(EMPTY_RECORD, old).groups[G1]!, proof: true } } }),
      { state: 'disputed', why: 'proof' },
    ],
    [
      'another key than the decided one',
      show(honest),
      memory(decided(EMPTY_RECORD, ALICE, 'words', T, FALSE_ALICE)),
      { state: 'disputed', why: 'key' },
    ],
    ['a removed person in a later list', show(honest), memory(removed), { state: 'disputed', why: 'returned' }],
    [
      'a removed person in an older list',
      show(honest.slice(0, 3)),
      memory(removed),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'a removed person who was allowed to stay',
      show(honest),
      memory(withRemoval(removed, { groupId: G1, userId: CAROL, isOut: false }, T + 11)),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'two browsers that each continued from the list of the other in the same second',
      show(honest),
      memory(
        mergeTrust(
          withListInstead(accepting(met, honest), rowOf(mine), T + 20),
          withListInstead(accepting(met, [mine]), rowOf(newest), T + 20),
        ),
      ),
      { state: 'disputed', why: 'forked' },
    ],
    ['no usable record', show(honest), memory(null), { state: 'disputed', why: 'record' }],
    [
      'a newest list that does not verify',
      show([], { lists: 'broken' }),
      memory(known),
      { state: 'locked', why: 'roster' },
    ],
    [
      'a secret that does not match the commitment',
      show(honest, { keyFits: false }),
      memory(known),
      { state: 'locked', why: 'grant' },
    ],
    ['a wrong proof', show(honest, { proof: 'wrong' }), memory(known), { state: 'locked', why: 'proof' }],
    [
      'a list without the person',
      show([nextList(null, { group: G1, members: [modelMember(ALICE, 'admin')], signer: ALICE })]),
      memory(met),
      { state: 'locked', why: 'not-member' },
    ],
    [
      'an admin continued from an older list with a rotation',
      show([birth, rotated]),
      memory(accepting(EMPTY_RECORD, honest), { admins: adminsOf(newest) }),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'such a continuation by a person who was no admin in the accepted list',
      show([birth, rotated]),
      memory(accepting(EMPTY_RECORD, honest)),
      { state: 'disputed', why: 'rolled-back' },
    ],
    [
      'such a continuation by a person whose key is compared',
      show([birth, rotated]),
      memory(decided(accepting(EMPTY_RECORD, honest), ALICE, 'qr')),
      { state: 'confirmed', how: 'remembered' },
    ],
    [
      'such a continuation by a person whose key was compared before a list omitted them',
      show([birth, rotated]),
      memory(withLeft(decided(accepting(EMPTY_RECORD, honest), ALICE, 'qr'), [ALICE], T + 9)),
      { state: 'disputed', why: 'rolled-back' },
    ],
    [
      'such a continuation from before a rotation, without another rotation',
      show([
        birth,
        nextList(birth, {
          group: G1,
          members: birth.shown.content.members,
          signer: ALICE,
          supersedes: [newest.shown.hash],
        }),
      ]),
      memory(accepting(EMPTY_RECORD, honest), { admins: adminsOf(newest) }),
      { state: 'disputed', why: 'rolled-back' },
    ],
    [
      'the person continued from an older list',
      show(honest.slice(0, 2)),
      memory(withListInstead(known, rowOf(honest[1] as ModelList), T + 20)),
      { state: 'confirmed', how: 'remembered' },
    ],
  ];
  test.each(ROWS)('%s', (_, shown, what, expected) => {
    expect(judgeGroup(shown, what)).toEqual(expected);
  });

  /** Each disables one rule. */
  const WEAKNESSES: readonly [string, (shown: ShownGroup, what: TrustMemory) => [ShownGroup, TrustMemory]][] = [
    ['key proofs', (shown, what) => [{ ...shown, proof: shown.proof === 'wrong' ? 'right' : shown.proof }, what]],
    ['no-proof', (shown, what) => [{ ...shown, proof: shown.proof === 'none' ? 'right' : shown.proof }, what]],
    ['missing records', (shown, what) => [shown, { ...what, record: what.record ?? EMPTY_RECORD }]],
    ['paths', (shown, what) => [{ ...shown, path: [shown.groupId] }, what]],
    [
      'signers who left',
      (shown, what) => [shown, changed(what, ({ users, ...rest }) => ({ ...rest, users: mapped(users, { left: 0 }) }))],
    ],
    [
      'removals',
      (shown, what) => [
        shown,
        changed(what, ({ groups, ...rest }) => ({ ...rest, groups: mapped(groups, { out: {} }) })),
      ],
    ],
    ['compared keys', (shown, what) => [shown, { ...what, isStrict: false }]],
  ];
  test.each(WEAKNESSES)('the table fails if %s are not checked', (_, weaken) => {
    const differing = ROWS.filter(
      ([, shown, what, expected]) => JSON.stringify(judgeGroup(...weaken(shown, what))) !== JSON.stringify(expected),
    );
    expect(differing.length).toBeGreaterThan(0);
  });
});

const changed = (what: TrustMemory, change: (record: TrustRecord) => TrustRecord): TrustMemory => ({
  ...what,
  record: what.record === null ? null : change(what.record),
});

const mapped = <Row extends object>(
  rows: Readonly<Record<string, Row>>,
  part: Partial<NoInfer<Row>>,
): Record<string, Row> => Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { ...row, ...part }]));
