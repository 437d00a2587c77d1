/** Adding people when the group has changed meanwhile, and concurrent additions (T43, T118). */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { encodeBase64, encodePieces, utf8 } from '@passwordbroker/core/crypto/bytes';
import { sign } from '@passwordbroker/core/crypto/ed25519';
import { type RosterContent, signRoster } from '@passwordbroker/core/domain/rosters/roster';
import { storedGroups } from '../groups/testing/stored-groups.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestAnswer } from '../testing/test-client.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { refused } from './testing/refused.ts';
import { valueFor, withSharedPlace } from './testing/shared-place.ts';
import type { Sharing } from './testing/sharing.ts';

const GROUP = () => `/passwordBroker/api/entryGroups/${place.g}`;
const users = () => `${GROUP()}/users`;
const plain = (body: object) => ada.request({ path: users(), json: { master_password: ada.masterPassword, ...body } });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;
let f: string;

withSharedPlace(
  (people) => ({ app, as, ada, bob, eve } = people),
  (newPlace, field) => ([place, f] = [newPlace, field]),
);
describe('sealed for another state of the group (T118)', () => {
  const content = () => as.view(ada, place.g).then(({ shared }) => shared.roster!);
  /** Signs the next roster as Ada, with a change. */
  const signed = async (change: Partial<RosterContent>, signer = ada) => {
    const { content: present, hash } = await content();
    const added = [
      ...present.members,
      { userId: bob.userId, role: 'member' as const, fingerprint: bob.keyring.fingerprint },
    ];
    const next = { ...present, seq: present.seq + 1, prev: hash, members: added, ...change };
    return signRoster(signer.keyring, next);
  };
  /** Valid, with an additional member in its JSON. */
  const padded = async (padding: string) => {
    const { roster_base64 } = await signed({});
    const bytes = utf8(JSON.stringify({ ...JSON.parse(Buffer.from(roster_base64, 'base64').toString()), padding }));
    const signature = await sign(ada.keyring.keys().signingKey, encodePieces(['pb1:roster', bytes]));
    return { roster_base64: encodeBase64(bytes), roster_sig_base64: encodeBase64(signature) };
  };
  test('a client may serialise a roster in its own way', async () => {
    const body = { ...(await as.bodyOf(ada, place.g, bob, 'member')), ...(await padded('x')) };
    await callWithProof(app, ada, members.add, { params: { g: place.g }, body });
    expect((await bob.call(groups.roster, { params: { g: place.g } })).rosters).toMatchObject([{ seq: 1 }]);
  });
  const other = '11'.repeat(32);
  const cases: [string, () => Promise<object>, object][] = [
    ['seq', () => signed({ seq: 7 }), { code: 'roster_conflict', details: { current_seq: 0 } }],
    ['the present seq again', () => signed({ seq: 0, prev: '' }), { code: 'roster_conflict' }],
    ['prev', () => signed({ prev: other }), { code: 'roster_conflict' }],
    ['group', () => signed({ groupId: UNKNOWN }), { code: 'bad_sealed_value' }],
    ['signer', () => signed({}, bob), { code: 'bad_sealed_value' }],
    [
      'the new member missing',
      async () => signed({ members: (await content()).content.members }),
      { code: 'roster_conflict' },
    ],
    [
      'a ghost',
      async () =>
        signed({
          members: [
            ...(await content()).content.members,
            { userId: bob.userId, role: 'member', fingerprint: bob.keyring.fingerprint },
            { userId: eve.userId, role: 'member', fingerprint: eve.keyring.fingerprint },
          ],
        }),
      { code: 'roster_conflict' },
    ],
    [
      'fingerprint',
      async () =>
        signed({
          members: [...(await content()).content.members, { userId: bob.userId, role: 'member', fingerprint: other }],
        }),
      { code: 'roster_conflict' },
    ],
    [
      'role',
      async () =>
        signed({
          members: [
            ...(await content()).content.members,
            { userId: bob.userId, role: 'admin', fingerprint: bob.keyring.fingerprint },
          ],
        }),
      { code: 'roster_conflict' },
    ],
    ['key version', () => signed({ gkVersion: 2 }), { code: 'roster_conflict' }],
    ['commitment', () => signed({ gkCommit: other }), { code: 'roster_conflict' }],
    [
      'signature',
      async () => ({ ...(await signed({})), roster_sig_base64: Buffer.alloc(64, 1).toString('base64') }),
      { code: 'bad_sealed_value' },
    ],
    ['oversized additional content', () => padded('x'.repeat(2000)), { code: 'bad_sealed_value' }],
    [
      'a roster without a key proof after one with a proof, as a client of release 1.0 makes it',
      async () => ({ ...(await signed({ hasProof: undefined as never })), roster_proof_base64: null }),
      {
        code: 'conflict',
        message: 'This page or program is too old to change this group. Reload the page, or update the program.',
      },
    ],
    [
      'a proof of the former key although the key stays',
      async () => ({ roster_proof_prev_base64: Buffer.alloc(32, 1).toString('base64') }),
      { code: 'bad_sealed_value' },
    ],
    [
      'no roster',
      async () => ({ roster_base64: null, roster_sig_base64: null }),
      { code: 'roster_conflict', details: { current_seq: 0 } },
    ],
    [
      'version of the grant',
      async () => ({ gk_version: 2 }),
      { code: 'key_version_conflict', details: { current_gk_version: 1 } },
    ],
    ['key of the recipient', async () => ({ recipient_fpr: other }), { code: 'rewrap_set_mismatch' }],
    ['wrap', async () => ({ encrypted_aes_password: 'AAAA' }), { code: 'bad_sealed_value' }],
    [
      'no wrap',
      async () => ({ encrypted_aes_password: null }),
      { errors: { encrypted_aes_password: ['The encrypted aes password is required.'] } },
    ],
  ];
  test.each(cases)('%s', async (_, change, expected) => {
    const body = { ...(await as.bodyOf(ada, place.g, bob, 'member')), ...(await change()) };
    const before = await storedGroups(app);
    await refused(callWithProof(app, ada, members.add, { params: { g: place.g }, body }), expected);
    expect(await storedGroups(app)).toEqual(before);
  });
});

/** Retries on 503: a person may have six derivations queued (T148). */
async function patiently(call: () => Promise<TestAnswer>): Promise<number> {
  for (let turn = 0; turn < 100; turn += 1) {
    const { status } = await call();
    if (status !== 503) return status;
    await wait(50);
  }
  throw new Error('The server was busy for all retries');
}

describe('concurrent additions (T43)', () => {
  test.each(['sealed', 'plain'])(
    'the same person ten times, %s: one succeeds, the others get a conflict',
    async (form) => {
      const body = await as.bodyOf(ada, place.g, bob, 'member');
      const once = () =>
        form === 'sealed'
          ? callWithProof(app, ada, members.add, { params: { g: place.g }, body }).then(
              () => 201,
              (error: unknown) => (error instanceof AppError ? error.status : 500),
            )
          : patiently(() => plain({ target_user_id: bob.userId, role: 'member' }));
      const statuses = await Promise.all(Array.from({ length: 10 }, once));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
      const rows = (table: 'group_members' | 'group_grants') =>
        app.deps.db.read
          .selectFrom(table)
          .select('user_id')
          .where('entry_group_id', '=', place.g)
          .where('user_id', '=', bob.userId)
          .execute();
      expect([(await rows('group_members')).length, (await rows('group_grants')).length]).toEqual([1, 1]);
      expect(await valueFor(bob, place, f)).toBe('s3cr3t');
    },
  );

  test('two people by two scripts: both are added, and the roster has both', async () => {
    const statuses = await Promise.all(
      [bob, eve].map(({ userId }) => plain({ target_user_id: userId, role: 'member' }).then(({ status }) => status)),
    );
    expect(statuses).toEqual([201, 201]);
    expect(await Promise.all([bob, eve].map((person) => valueFor(person, place, f)))).toEqual(['s3cr3t', 's3cr3t']);
  });

  test('two clients with the same next roster: one gets a conflict', async () => {
    const bodies = [await as.bodyOf(ada, place.g, bob, 'member'), await as.bodyOf(ada, place.g, eve, 'member')];
    const answers = await Promise.allSettled(
      bodies.map((body) => callWithProof(app, ada, members.add, { params: { g: place.g }, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = answers.find((answer) => answer.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'roster_conflict', details: { current_seq: 1 } });
  });
});
