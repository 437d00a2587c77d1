/** Signed rosters and the grants that they authenticate: P16, M17, M19, M20 (`crypto.md` §8, §9). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bytes, decodeBase64, encodeBase64, encodeHex, encodePieces, utf8 } from '../crypto/bytes.ts';
import { sign } from '../crypto/ed25519.ts';
import { RUNS, bytesOf } from '../testing/arbitraries.ts';
import { type TestPerson, createPerson } from '../testing/keyrings.ts';
import { refusalOf } from '../testing/refusal.ts';
import {
  type GroupSecret,
  commitmentOf,
  createGroupSecret,
  deriveGroupKey,
  unwrapGroupSecret,
  wrapGroupSecret,
} from './grants.ts';
import { type GroupKeysWire, createGroupKeys, openGroup } from './group-keys.ts';
import { type RosterContent, hashRoster, readRoster, signRoster, verifyRoster } from './roster.ts';

let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  [ada, bob] = await Promise.all([createPerson(), createPerson()]);
});

const groupId = '0b9f6c1e-33b7-4f8e-8d9a-9c4a5d6e7f80';
const otherGroup = 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff';
const member = ({ userId, keyring }: TestPerson, role: 'admin' | 'moderator' | 'member') => ({
  userId,
  role,
  fingerprint: keyring.fingerprint,
});
const content = (change: Partial<RosterContent> = {}): Omit<RosterContent, 'signer'> => ({
  groupId,
  seq: 0,
  prev: '',
  gkVersion: 1,
  gkCommit: 'ab'.repeat(32),
  members: [member(ada, 'admin'), member(bob, 'member')],
  ts: 1_795_219_200,
  ...change,
});
const signed = async (change: Partial<RosterContent> = {}) => ({
  ...(await signRoster(ada.keyring, content(change))),
  signer_certificate: ada.bundle.certificate,
});
/** Any bytes under a right signature: what a dishonest admin can make. */
const signedBytes = async (bytes: Bytes) => ({
  roster_base64: encodeBase64(bytes),
  roster_sig_base64: encodeBase64(await sign(ada.keyring.keys().signingKey, encodePieces(['pb1:roster', bytes]))),
  signer_certificate: ada.bundle.certificate,
});

describe('P16 a signed roster', () => {
  test('verifies, in the order of user ids, and names its predecessor by hash', async () => {
    const first = await signed();
    const read = await verifyRoster(first, groupId);
    expect(read.members).toEqual(content().members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)));
    const prev = await hashRoster(decodeBase64(first.roster_base64));
    expect((await verifyRoster(await signed({ seq: 1, prev }), groupId)).prev).toBe(prev);
  });

  test('is refused with any bit of bytes or signature flipped', async () => {
    const wire = await signed();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('roster_base64' as const, 'roster_sig_base64' as const),
        fc.nat(),
        fc.nat(7),
        async (part, at, bit) => {
          const bytes = decodeBase64(wire[part]);
          const index = at % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
          expect(await refusalOf(() => verifyRoster({ ...wire, [part]: encodeBase64(bytes) }, groupId))).toBe('roster');
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['of another group', () => signed({ groupId: otherGroup })],
    ['without its signer', () => signed({ members: [member(bob, 'admin')] })],
    ['whose signer is no admin in it', () => signed({ members: [member(ada, 'moderator'), member(bob, 'admin')] })],
    [
      'with another fingerprint of its signer',
      () => signed({ members: [{ ...member(ada, 'admin'), fingerprint: bob.keyring.fingerprint }] }),
    ],
    ["with another's certificate", async () => ({ ...(await signed()), signer_certificate: bob.bundle.certificate })],
    ['without a certificate', async () => ({ ...(await signed()), signer_certificate: null })],
    [
      'with a forged certificate',
      async () => ({ ...(await signed()), signer_certificate: { ...ada.bundle.certificate, keyset_version: 2 } }),
    ],
    ['with nobody in it', () => signed({ members: [] })],
    ['with one person twice', () => signed({ members: [member(ada, 'admin'), member(ada, 'member')] })],
    ['at its birth with a predecessor', () => signed({ prev: 'ab'.repeat(32) })],
    ['later without a predecessor', () => signed({ seq: 1 })],
    ['with a negative number', () => signed({ seq: -1 })],
    ['with key version 0', () => signed({ gkVersion: 0 })],
    ['with half a commitment', () => signed({ gkCommit: 'ab' })],
    ['with upper-case hex', () => signed({ gkCommit: 'AB'.repeat(32) })],
    ['with a broken time', () => signed({ ts: 1.5 })],
    ['with base64 that is none', async () => ({ ...(await signed()), roster_base64: '???' })],
    ['of a megabyte', async () => signedBytes(new Uint8Array(1_048_576).fill(32))],
    ['that is no JSON', async () => signedBytes(utf8('{'))],
    ['that is a number', async () => signedBytes(utf8('7'))],
    ['that is null', async () => signedBytes(utf8('null'))],
    ['of ten thousand brackets', async () => signedBytes(utf8('['.repeat(10_000)))],
    ['that is no UTF-8', async () => signedBytes(new Uint8Array([0x7b, 0xff, 0x7d]))],
  ])('M19 %s is refused', async (_, build) => {
    expect(await refusalOf(async () => verifyRoster(await build(), groupId))).toBe('roster');
  });

  test('with members out of order, or of a wrong form, is refused', async () => {
    const row = [ada.userId, 'admin', ada.keyring.fingerprint];
    const other = [bob.userId, 'member', bob.keyring.fingerprint];
    const ordered = [row, other].toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
    const text = (members: unknown) =>
      signedBytes(
        utf8(
          JSON.stringify({
            v: 1,
            group_id: groupId,
            seq: 0,
            prev: '',
            gk_version: 1,
            gk_commit: 'ab'.repeat(32),
            members,
            signer: ada.userId,
            ts: 1,
          }),
        ),
      );
    expect((await verifyRoster(await text(ordered), groupId)).members).toHaveLength(2);
    const wrong = [
      ordered.toReversed(),
      [...ordered, []],
      [row.slice(0, 2)],
      [[...row, 1]],
      [[ada.userId, 'owner', row[2]]],
      [[ada.userId, 'admin', 'x']],
      [['x', 'admin', row[2]]],
      {},
      null,
      'x',
    ];
    for (const members of wrong) {
      expect(await refusalOf(async () => verifyRoster(await text(members), groupId)), JSON.stringify(members)).toBe(
        'roster',
      );
    }
  });

  test('that names another signer, or has no admin, is refused', async () => {
    const text = (change: object) =>
      utf8(
        JSON.stringify({
          v: 1,
          group_id: groupId,
          seq: 0,
          prev: '',
          gk_version: 1,
          gk_commit: 'ab'.repeat(32),
          members: [[ada.userId, 'admin', ada.keyring.fingerprint]],
          signer: ada.userId,
          ts: 1,
          ...change,
        }),
      );
    expect((await verifyRoster(await signedBytes(text({})), groupId)).signer).toBe(ada.userId);
    const forged = await signedBytes(text({ signer: bob.userId }));
    expect(await refusalOf(() => verifyRoster(forged, groupId))).toBe('roster');
    const members = [[ada.userId, 'moderator', ada.keyring.fingerprint]];
    expect(await refusalOf(() => readRoster(text({ members })))).toBe('roster');
    expect(readRoster(text({})).members).toHaveLength(1);
  });

  test('is not signed when it would be too long to be read', async () => {
    const many = Array.from({ length: 2400 }, () => ({ ...member(bob, 'member'), userId: crypto.randomUUID() }));
    expect(await refusalOf(() => signed({ members: [member(ada, 'admin'), ...many] }))).toBe('roster');
  });

  test('P10 any bytes are read as a roster or refused as one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytesOf({ maxLength: 300 }), fc.json().map(utf8)), async (bytes) => {
        expect(await refusalOf(() => readRoster(new Uint8Array(bytes)))).toBe('roster');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the key of a group', () => {
  const made = () =>
    createGroupKeys(ada.keyring, {
      groupId,
      members: [
        { identity: ada.keyring.identity, role: 'admin' },
        { identity: bob.keyring.identity, role: 'member' },
      ],
      now: 1_795_219_200_000,
    });
  const answerFor = ({ userId }: TestPerson, { wire }: Awaited<ReturnType<typeof made>>): GroupKeysWire => ({
    gk_version: 1,
    origin: 'client',
    rosters: [{ ...wire, signer_certificate: ada.bundle.certificate }],
    grants: wire.grants
      .filter((grant) => grant.user_id === userId)
      .map((grant) => ({
        user_id: grant.user_id,
        gk_version: 1,
        alg: 'rsa-oaep-256',
        encrypted_aes_password_base64: grant.encrypted_aes_password,
      })),
  });
  const withGrant = (answer: GroupKeysWire, change: object): GroupKeysWire => ({
    ...answer,
    grants: answer.grants.map((grant) => ({ ...grant, ...change })),
  });
  const wrapped = async (secret: GroupSecret, { keyring }: TestPerson) => ({
    encrypted_aes_password_base64: encodeBase64(await wrapGroupSecret(secret, keyring.identity)),
  });

  test('opens for each member, and roster and commitment agree', async () => {
    const keys = await made();
    for (const person of [ada, bob]) {
      const { groupKey, roster, self } = await openGroup(person.keyring, answerFor(person, keys), groupId);
      expect([groupKey.groupId, groupKey.version]).toEqual([groupId, 1]);
      expect(self).toEqual(member(person, person === ada ? 'admin' : 'member'));
      expect(roster?.gkCommit).toBe(encodeHex(decodeBase64(keys.wire.gk_commit_base64)));
    }
    expect(await refusalOf(() => openGroup(bob.keyring, answerFor(ada, keys), groupId))).toBe('grant');
  });

  /** A roster that ada signed, under the secret of a group that was made already, with a grant for bob. */
  const rosterWith = async (members: RosterContent['members']): Promise<GroupKeysWire> => {
    const secret = createGroupSecret();
    const gkCommit = encodeHex(await commitmentOf(secret, groupId, 1));
    const grant = { user_id: bob.userId, gk_version: 1, alg: 'rsa-oaep-256', ...(await wrapped(secret, bob)) };
    return { gk_version: 1, origin: 'client', rosters: [await signed({ gkCommit, members })], grants: [grant] };
  };

  test.each(['client', 'server'] as const)(
    'whom the newest roster does not name is no member, with the right secret in his hand (origin %s)',
    async (origin) => {
      const answer = { ...(await rosterWith([member(ada, 'admin')])), origin };
      expect(await refusalOf(() => openGroup(bob.keyring, answer, groupId))).toBe('roster');
    },
  );

  test('another role or key than the own is told, and opens', async () => {
    const other = { ...member(bob, 'moderator'), fingerprint: 'cd'.repeat(32) };
    const { self } = await openGroup(bob.keyring, await rosterWith([member(ada, 'admin'), other]), groupId);
    expect(self).toEqual(other);
  });

  test('M17 another secret under the same roster is refused', async () => {
    const answer = answerFor(bob, await made());
    const injected = await wrapped(createGroupSecret(), bob);
    expect(await refusalOf(() => openGroup(bob.keyring, withGrant(answer, injected), groupId))).toBe('grant');
  });

  test('M20 of two members with different secrets under one roster, the other one is refused', async () => {
    const [one, other] = [await made(), await made()];
    expect((await openGroup(ada.keyring, answerFor(ada, one), groupId)).groupKey.version).toBe(1);
    const mixed = { ...answerFor(bob, one), grants: answerFor(bob, other).grants };
    expect(await refusalOf(() => openGroup(bob.keyring, mixed, groupId))).toBe('grant');
  });

  test('a commitment is bound to group and version', async () => {
    const secret = createGroupSecret();
    const commits = await Promise.all([
      commitmentOf(secret, groupId, 1),
      commitmentOf(secret, groupId, 2),
      commitmentOf(secret, otherGroup, 1),
      commitmentOf(createGroupSecret(), groupId, 1),
    ]);
    expect(new Set(commits.map(encodeHex)).size).toBe(4);
    expect((await deriveGroupKey(secret, groupId, 1)).groupId).toBe(groupId);
  });

  test('no roster, one of another group, no grant, another version, an unknown algorithm, a short or damaged wrap', async () => {
    const answer = answerFor(bob, await made());
    const open = (change: Partial<GroupKeysWire>, id = groupId) => openGroup(bob.keyring, { ...answer, ...change }, id);
    expect(await refusalOf(() => open({ rosters: [] }))).toBe('roster');
    expect(await refusalOf(() => open({}, otherGroup))).toBe('roster');
    expect(await refusalOf(() => open({ grants: [] }))).toBe('grant');
    expect(await refusalOf(() => open(withGrant(answer, { gk_version: 2 })))).toBe('grant');
    for (const alg of ['rsa-oaep-512', 'hpke-x25519-hkdf256-aes256gcm', '', null]) {
      expect(await refusalOf(() => open(withGrant(answer, { alg })))).toBe('grant');
    }
    expect(
      await refusalOf(async () => open(withGrant(answer, await wrapped(new Uint8Array(63) as GroupSecret, bob)))),
    ).toBe('grant');
    const zeros = { encrypted_aes_password_base64: encodeBase64(new Uint8Array(384)) };
    expect(await refusalOf(() => open(withGrant(answer, zeros)))).toBe('grant');
    expect(await refusalOf(() => unwrapGroupSecret(bob.keyring, new Uint8Array(0)))).toBe('grant');
  });

  test('a group that the server made has no roster: the grant alone opens it', async () => {
    const grant = {
      user_id: bob.userId,
      gk_version: 4,
      alg: 'rsa-oaep-256',
      ...(await wrapped(createGroupSecret(), bob)),
    };
    const answer: GroupKeysWire = { gk_version: 4, origin: 'server', rosters: [], grants: [grant] };
    const { groupKey, roster, self } = await openGroup(bob.keyring, answer, groupId);
    expect([groupKey.version, roster, self]).toEqual([4, null, null]);
    const short = { ...grant, ...(await wrapped(new Uint8Array(63) as GroupSecret, bob)) };
    expect(await refusalOf(() => openGroup(bob.keyring, { ...answer, grants: [short] }, groupId))).toBe('grant');
  });

  test('the newest roster decides which version is sealed under, not the number beside it', async () => {
    const answer = answerFor(bob, await made());
    expect((await openGroup(bob.keyring, { ...answer, gk_version: 9 }, groupId)).groupKey.version).toBe(1);
  });
});
