/** Valid and invalid rosters: every member, format and limit (docs/spec/crypto.md §9). */
import { beforeAll, expect, test } from 'vitest';
import { decodeBase64, encodeBase64, encodePieces, utf8 } from '../../crypto/bytes.ts';
import { sign } from '../../crypto/ed25519.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type Signer, createSharedRsa, createSigner } from '../../testing/signers.ts';
import { MAX_ROSTER_BYTES, readRoster, signRoster, verifyRoster } from './roster.ts';

let ada: Signer;
beforeAll(async () => {
  ada = await createSigner(await createSharedRsa(), userId);
});

const groupId = '0b9f6c1e-33b7-4f8e-8d9a-9c4a5d6e7f80';
const userId = '5f0c0a52-8f3e-4a65-9a57-0d7a3a9d1f01';
const other = '6a1d0b63-9f4f-4b76-8b68-1e8b4bae2f12';
const hex = 'ab'.repeat(32);
const right = {
  v: 1,
  group_id: groupId,
  seq: 0,
  prev: '',
  gk_version: 1,
  gk_commit: hex,
  members: [
    [userId, 'admin', hex],
    [other, 'member', hex],
  ],
  signer: userId,
  ts: 0,
};
const read = (change: object) => readRoster(utf8(JSON.stringify({ ...right, ...change })));

test('a valid roster is parsed', () => {
  const members = [
    { userId, role: 'admin', fingerprint: hex },
    { userId: other, role: 'member', fingerprint: hex },
  ];
  const expected = { groupId, seq: 0, prev: '', gkVersion: 1, gkCommit: hex, members, signer: userId, ts: 0 };
  expect(read({})).toEqual(expected);
  expect(read({ later: 1 })).toEqual(expected);
  expect(read({ seq: 7, prev: hex, gk_version: 9, ts: 5 })).toEqual({
    ...expected,
    seq: 7,
    prev: hex,
    gkVersion: 9,
    ts: 5,
  });
  expect(read({ members: [[other, 'admin', hex]] }).members).toHaveLength(1);
});

const texts = (good: string) => [
  good.toUpperCase(),
  `${good}0`,
  `0${good}`,
  good.slice(1),
  ` ${good}`,
  '',
  [good],
  null,
];
const numbers = [-1, 0.5, '1', null, [1], 2 ** 53];
const admin = [userId, 'admin', hex];
const WRONG: Record<string, readonly unknown[]> = {
  v: [0, 2, '1', null, [1]],
  group_id: texts(groupId),
  seq: numbers,
  prev: [hex, null, 0],
  gk_version: [0, ...numbers],
  gk_commit: texts(hex),
  signer: texts(userId),
  ts: numbers,
  members: [
    null,
    {},
    'x',
    [],
    [admin, admin],
    [[other, 'member', hex], admin],
    [[userId, 'moderator', hex]],
    [admin, null],
    [admin, 'x'],
    [admin, { length: 3 }],
    [admin, [other, 'member']],
    [admin, [other, 'member', hex, 1]],
    ...[...texts(other)].map((id) => [admin, [id, 'member', hex]]),
    ...['owner', 'guest', 'Member', null, ['member']].map((role) => [admin, [other, role, hex]]),
    ...texts(hex).map((fingerprint) => [admin, [other, 'member', fingerprint]]),
  ],
};

test.each(Object.entries(WRONG))('a wrong %s is rejected', async (member, values) => {
  for (const value of values)
    expect(await errorCodeOf(() => read({ [member]: value })), JSON.stringify(value)).toBe('roster');
  expect(await errorCodeOf(() => read({ [member]: undefined }))).toBe('roster');
});

test('prev must be a hash after the first roster', async () => {
  for (const prev of texts(hex)) expect(await errorCodeOf(() => read({ seq: 1, prev }))).toBe('roster');
});

test.each(['', '{', 'null', '7', '"x"', '[]', '\ufeff{}'])('%j is rejected', async (text) => {
  expect(await errorCodeOf(() => readRoster(utf8(text)))).toBe('roster');
});

test('256 KiB are accepted, one byte more is not', async () => {
  const padded = (length: number) => {
    const json = JSON.stringify({ ...right, members: [[userId, 'admin', ada.keyring.fingerprint]] });
    return utf8(json.padEnd(length));
  };
  const signed = async (length: number) => ({
    roster_base64: encodeBase64(padded(length)),
    roster_sig_base64: encodeBase64(
      await sign(ada.keyring.keys().signingKey, encodePieces(['pb1:roster', padded(length)])),
    ),
    signer_certificate: ada.certificate,
  });
  expect((await verifyRoster(await signed(MAX_ROSTER_BYTES), groupId)).signer).toBe(userId);
  const longer = await signed(MAX_ROSTER_BYTES + 1);
  expect(await errorCodeOf(() => verifyRoster(longer, groupId))).toBe('roster');
});

test('a roster of up to 256 KiB can be signed', async () => {
  const content = { groupId, seq: 0, prev: '', gkVersion: 1, gkCommit: '', members: [], ts: 0 };
  const empty = decodeBase64((await signRoster(ada.keyring, content)).roster_base64).length;
  const gkCommit = 'a'.repeat(MAX_ROSTER_BYTES - empty);
  const { roster_base64 } = await signRoster(ada.keyring, { ...content, gkCommit });
  expect(decodeBase64(roster_base64)).toHaveLength(262_144);
  expect(await errorCodeOf(() => signRoster(ada.keyring, { ...content, gkCommit: `${gkCommit}a` }))).toBe('roster');
});
