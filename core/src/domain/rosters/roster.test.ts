/** Signed rosters: P16, M19 (docs/spec/crypto.md §9). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bytes, decodeBase64, encodeBase64, encodePieces, utf8 } from '../../crypto/bytes.ts';
import { sign } from '../../crypto/ed25519.ts';
import { RUNS, bytesOf } from '../../testing/arbitraries.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { groupId, otherGroup, listOf, member, signedBy } from '../../testing/groups/two-members.ts';
import { type RosterContent, hashRoster, readRoster, verifyRoster } from './roster.ts';

let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  [ada, bob] = await somePeople(2);
});

const content = (change?: Partial<RosterContent>) => listOf(ada, bob, change);
const signed = (change?: Partial<RosterContent>) => signedBy(ada, content(change));
/** Any bytes with a valid signature, as a dishonest admin can make them. */
const signedBytes = async (bytes: Bytes) => ({
  roster_base64: encodeBase64(bytes),
  roster_sig_base64: encodeBase64(await sign(ada.keyring.keys().signingKey, encodePieces(['pb1:roster', bytes]))),
  signer_certificate: ada.bundle.certificate,
});

describe('P16 a signed roster', () => {
  test('verifies, sorts by user id, and contains the hash of its predecessor', async () => {
    const first = await signed();
    const read = await verifyRoster(first, groupId);
    expect(read.members).toEqual(content().members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)));
    const prev = await hashRoster(decodeBase64(first.roster_base64));
    expect((await verifyRoster(await signed({ seq: 1, prev }), groupId)).prev).toBe(prev);
  });

  test('is rejected with any bit of bytes or signature flipped', async () => {
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
          expect(await errorCodeOf(() => verifyRoster({ ...wire, [part]: encodeBase64(bytes) }, groupId))).toBe(
            'roster',
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is rejected with any change of its certificate', async () => {
    const wire = await signed();
    const certificate = ada.bundle.certificate;
    const flipped = fc
      .tuple(fc.constantFrom('ed25519_base64', 'rsa_spki_base64', 'sig_base64'), fc.nat(), fc.nat(7))
      .map(([part, at, bit]) => {
        const bytes = decodeBase64(certificate[part as 'sig_base64']);
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
        return { [part]: encodeBase64(bytes) };
      });
    const exchanged = fc.oneof(
      fc.record({ user_id: fc.uuid() }),
      fc.record({ keyset_version: fc.integer({ min: 2 }) }),
      fc.record({
        prev_fpr: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
      }),
      fc.record({ v: fc.integer({ min: 2 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(flipped, exchanged), async (change) => {
        const signer_certificate = { ...certificate, ...change } as typeof certificate;
        expect(await errorCodeOf(() => verifyRoster({ ...wire, signer_certificate }, groupId))).toBe('roster');
      }),
      { numRuns: 200 },
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
    ['without members', () => signed({ members: [] })],
    ['with one person twice', () => signed({ members: [member(ada, 'admin'), member(ada, 'member')] })],
    ['the first one with a predecessor', () => signed({ prev: 'ab'.repeat(32) })],
    ['a later one without a predecessor', () => signed({ seq: 1 })],
    ['with a negative number', () => signed({ seq: -1 })],
    ['with key version 0', () => signed({ gkVersion: 0 })],
    ['with half a commitment', () => signed({ gkCommit: 'ab' })],
    ['with upper-case hex', () => signed({ gkCommit: 'AB'.repeat(32) })],
    ['with a fractional time', () => signed({ ts: 1.5 })],
    ['with malformed base64', async () => ({ ...(await signed()), roster_base64: '???' })],
    ['of a megabyte', async () => signedBytes(new Uint8Array(1_048_576).fill(32))],
    ['that is not JSON', async () => signedBytes(utf8('{'))],
    ['that is a number', async () => signedBytes(utf8('7'))],
    ['that is null', async () => signedBytes(utf8('null'))],
    ['of ten thousand brackets', async () => signedBytes(utf8('['.repeat(10_000)))],
    ['that is not UTF-8', async () => signedBytes(new Uint8Array([0x7b, 0xff, 0x7d]))],
  ])('M19 %s is refused', async (_, build) => {
    expect(await errorCodeOf(async () => verifyRoster(await build(), groupId))).toBe('roster');
  });

  test('is rejected with unsorted or malformed members', async () => {
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
      expect(await errorCodeOf(async () => verifyRoster(await text(members), groupId)), JSON.stringify(members)).toBe(
        'roster',
      );
    }
  });

  test('is rejected with another signer or without an admin', async () => {
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
    expect(await errorCodeOf(() => verifyRoster(forged, groupId))).toBe('roster');
    const members = [[ada.userId, 'moderator', ada.keyring.fingerprint]];
    expect(await errorCodeOf(() => readRoster(text({ members })))).toBe('roster');
    expect(readRoster(text({})).members).toHaveLength(1);
  });

  test('is not signed if it is too long', async () => {
    const many = Array.from({ length: 2400 }, () => ({ ...member(bob, 'member'), userId: crypto.randomUUID() }));
    expect(await errorCodeOf(() => signed({ members: [member(ada, 'admin'), ...many] }))).toBe('roster');
  });

  test('P10 any bytes are parsed or rejected with `roster`', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytesOf({ maxLength: 300 }), fc.json().map(utf8)), async (bytes) => {
        expect(await errorCodeOf(() => readRoster(new Uint8Array(bytes)))).toBe('roster');
      }),
      { numRuns: RUNS },
    );
  });
});
