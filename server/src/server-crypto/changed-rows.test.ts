/**
 * Rows are changed by an attacker while the program is honest: scripts with a master password still
 * wrap and seal only for members (T120).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProblemCode } from '@passwordbroker/core/contract/problem';
import { testPerson } from '../testing/test-person.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import type { TestAnswer } from '../testing/test-client.ts';
import { Attacker } from './testing/changed-rows.ts';
import { type SceneMaker, type ScriptAct, SCRIPT_ACTS, sceneMaker, type TrustScene } from './testing/trust-scene.ts';

let app: TestApp;
let scenes: SceneMaker;
let attacker: Attacker;
let lure: string;
/** Ada's record when it contained one group only. */
let first: NonNullable<Awaited<ReturnType<Attacker['document']>>>;

beforeAll(async () => {
  app = await startTestApp();
  scenes = await sceneMaker(app);
  const mallory = await app.signUp('mallory');
  attacker = await Attacker.of(app, mallory.userId);
  await attacker.dropChecks();
  const ada = await app.signIn(await testPerson('ada'));
  first = (await attacker.document(ada.userId)) ?? expect.fail('no record');
  lure = (await scenes.make()).group.g;
  await attacker.rotate(lure, (await scenes.make()).ada, 'anew');
});
afterAll(() => app.stop());

type Outcome = ProblemCode | 'done' | readonly [ProblemCode, object];

/** The outcome of each operation; operations that are not listed succeed. */
type Outcomes = Readonly<Partial<Record<ScriptAct, Outcome>>>;

const WRITES = ['write', 'change', 'add', 'role', 'rotate', 'child', 'move', 'undo', 'sign'] as const;
const all = (outcome: Outcome, acts: readonly ScriptAct[] = WRITES): Outcomes =>
  Object.fromEntries(acts.map((act) => [act, outcome]));
const disputed = (why: string): Outcome => ['group_disputed', { why }];

const CHANGES: readonly (readonly [
  string,
  (scene: TrustScene) => Promise<unknown>,
  (scene: TrustScene) => Outcomes,
])[] = [
  ['nothing', async () => {}, () => ({})],
  [
    "a member's key (F5)",
    ({ bob }) => attacker.exchangeKey(bob.userId),
    ({ bob }) => all(['key_changed', { user_ids: [bob.userId] }], ['add', 'role', 'rotate', 'child', 'sign']),
  ],
  [
    'the key of an added person',
    ({ carol }) => attacker.exchangeKey(carol.userId),
    ({ carol }) => ({ add: ['key_changed', { user_ids: [carol.userId] }] }),
  ],
  [
    'a value under version 0 (F2)',
    ({ group, ada }) => attacker.plantValue(group, ada, 0),
    () => ({ reveal: 'integrity_error' }),
  ],
  [
    'a value under a future version',
    ({ group, ada }) => attacker.plantValue(group, ada, 9),
    () => ({ reveal: 'integrity_error' }),
  ],
  ['lists deleted (F3)', ({ group: { g } }) => attacker.hideLists(g, null), () => all(disputed('vanished'))],
  [
    'lists deleted, and a new key of the attacker',
    ({ group: { g }, ada }) => attacker.hideLists(g, ada),
    () => ({ ...all(disputed('vanished')), reveal: 'integrity_error' }),
  ],
  [
    'a member who is in no list',
    ({ group: { g } }) => attacker.addRowOf(g, attacker.ghost.userId),
    () => ({ ...all('roster_conflict', ['add', 'role', 'sign']), ...all('rewrap_set_mismatch', ['rotate', 'child']) }),
  ],
  [
    'a list with a ghost (F1)',
    ({ group: { g } }) => attacker.appendGhost(g),
    () => all('integrity_error', ['reveal', ...WRITES]),
  ],
  [
    'a rotation signed by a ghost',
    ({ group: { g }, ada }) => attacker.rotate(g, ada, 'next'),
    () => ({ ...all(disputed('signer')), reveal: 'integrity_error' }),
  ],
  [
    'a rotation signed by a ghost, after a list whose signer’s certificate is missing',
    ({ group: { g }, ada }) => attacker.rotate(g, ada, 'gap'),
    () => ({ ...all(disputed('gap')), reveal: 'integrity_error' }),
  ],
  [
    'lists of the attacker',
    ({ group: { g }, ada }) => attacker.rotate(g, ada, 'anew'),
    () => ({ ...all(disputed('rolled-back')), reveal: 'integrity_error' }),
  ],
  ['the newest list deleted', ({ group: { g } }) => attacker.dropNewestList(g), () => all(disputed('rolled-back'))],
  [
    'the origin of a move in the journal (F4)',
    ({ moved }) => attacker.nameOrigin(moved, lure),
    () => ({ undo: disputed('rolled-back') }),
  ],
  // The groups are trusted on first use again, because their lists have key proofs.
  ['an older record', ({ ada }) => attacker.putDocument(ada.userId, first), () => ({})],
  ['the record deleted', ({ ada }) => attacker.putDocument(ada.userId, null), () => all('trust_record_missing')],
  [
    'the record of another person',
    async ({ ada, bob }) => {
      const own = await attacker.document(ada.userId);
      if (own === undefined) throw new Error('Ada has no record');
      await attacker.putDocument(bob.userId, own);
      await attacker.putDocument(ada.userId, { ...own, n: own.n + 1 });
    },
    () => all('trust_record_missing'),
  ],
];

test.each(CHANGES)('T120 changed: %s', async (_, change, outcomesOf) => {
  const scene = await scenes.make();
  const before = await keysOf(scene);
  const document = await attacker.document(scene.ada.userId);
  await change(scene);
  const expected = outcomesOf(scene);
  const answers: Partial<Record<ScriptAct, Outcome>> = {};
  for (const act of SCRIPT_ACTS) {
    const answer = await scenes.act(scene, act);
    answers[act] = answer.status < 300 ? 'done' : toldIn(answer, typeof expected[act] === 'object');
  }
  await putBack(scene, before, document);
  expect(answers).toEqual({ ...all('done', SCRIPT_ACTS), ...expected });
  expect((await attacker.readable()).filter((value) => scenes.secrets.has(value))).toEqual([]);
});

function toldIn(answer: TestAnswer, hasDetails: boolean): Outcome {
  const { code, details } = answer.json<{ code: ProblemCode; details: object }>();
  return hasDetails ? [code, details] : code;
}

/** Fingerprints of the present keys, which all scenes share. */
async function keysOf({ bob, carol }: TrustScene) {
  return app.deps.db.read
    .selectFrom('user_keysets')
    .select(['user_id', 'fpr'])
    .where('user_id', 'in', [bob.userId, carol.userId])
    .execute();
}

async function putBack(
  { ada }: TrustScene,
  keys: Awaited<ReturnType<typeof keysOf>>,
  document: Awaited<ReturnType<Attacker['document']>>,
): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    for (const { user_id, fpr } of keys) {
      await tx.updateTable('user_keysets').set({ fpr }).where('user_id', '=', user_id).execute();
    }
  });
  const written = await attacker.document(ada.userId);
  const isOwn = written !== undefined && document !== undefined && !written.blob.equals(document.blob);
  if (!isOwn && document !== undefined) await attacker.putDocument(ada.userId, document);
}
