/** Slots of passkeys: profile W1 (docs/spec/crypto.md §6). */
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, encodeHex, encodePieces } from '../../crypto/bytes.ts';
import { deriveBytes } from '../../crypto/kdf.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type TestPerson, createPerson } from '../../testing/keyrings.ts';
import { VECTORS } from '../../testing/pb1-vectors.ts';
import { TEST_KDF } from '../../testing/test-kdf.ts';
import { type LockedKeyring, unlockWithPasskey, wrapForPasskey } from './keyring.ts';
import { type PasskeyPlace, type PasskeySlotWire, describePasskey } from './passkey-slot.ts';
import { PRF_INPUT_HEX } from './prf-input.ts';

const MASTER_PASSWORD = 'correct horse';
const counting = (from: number, step: 1 | -1): Bytes => Uint8Array.from({ length: 32 }, (_, at) => from + step * at);
const inUrls = (bytes: Bytes) => encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const PRF = counting(0x00, 1);
const PASSKEY: PasskeyPlace = {
  rp_id: 'vault.example',
  credential_id: inUrls(counting(0xff, -1)),
};

let ada: TestPerson;
let bob: TestPerson;
let slot: PasskeySlotWire;
beforeAll(async () => {
  [ada, bob] = await Promise.all([createPerson(MASTER_PASSWORD), createPerson('another')]);
  const wrapping = { bundle: ada.bundle, masterPassword: MASTER_PASSWORD, passkey: PASSKEY, prf: PRF, kdf: TEST_KDF };
  slot = await wrapForPasskey(wrapping);
});

const opening = (
  change: Partial<PasskeyPlace & PasskeySlotWire> = {},
  prf: Bytes = PRF,
  bundle: Partial<LockedKeyring> = {},
) => {
  const stored = { ...PASSKEY, ...slot, ...change };
  return unlockWithPasskey({
    bundle: { ...ada.bundle, passkeys: [stored], ...bundle },
    slotId: stored.slot_id,
    prf,
  });
};

describe('the vectors of profile W1', () => {
  test('I60: the input of the authenticator', async () => {
    expect(encodeHex(await sha256(encodePieces(['pb1:prf'])))).toBe(PRF_INPUT_HEX);
  });

  test('I60: the slot key', async () => {
    const desc = await describePasskey(PASSKEY, decodeBase64(VECTORS.kdf.salt_base64));
    const pieces = ['pb1:kek', VECTORS.ids.user_id, VECTORS.ids.slot_id, desc];
    expect(encodeHex(await deriveBytes(PRF, new Uint8Array(0), pieces, 32))).toBe(
      'a9a2c27788cce837312c6cf043533fa6858f25bbb3410bc405629196a57b7dac',
    );
  });
});

test('a passkey opens the same keys as the master password, with a slot of 116 bytes', async () => {
  expect((await opening()).fingerprint).toBe(ada.keyring.fingerprint);
  expect([slot.kdf, decodeBase64(slot.blob_base64).length, decodeBase64(slot.salt_base64).length]).toEqual([
    'W1',
    116,
    16,
  ]);
});

test('I61, I62: another authenticator, credential, RP ID, slot or account → commit', async () => {
  const other = inUrls(counting(1, 1));
  expect(await errorCodeOf(() => opening({}, counting(1, 1)))).toBe('commit');
  expect(await errorCodeOf(() => opening({ credential_id: other }))).toBe('commit');
  expect(await errorCodeOf(() => opening({ rp_id: 'example' }))).toBe('commit');
  expect(await errorCodeOf(() => opening({ slot_id: crypto.randomUUID() }))).toBe('commit');
  expect(await errorCodeOf(() => opening({ salt_base64: encodeBase64(new Uint8Array(16)) }))).toBe('commit');
  expect(await errorCodeOf(() => opening({}, PRF, { user_id: bob.userId }))).toBe('commit');
  expect(await errorCodeOf(() => opening({}, PRF, { passkeys: [] }))).toBe('commit');
  expect(await errorCodeOf(() => opening({}, PRF, { passkeys: undefined }))).toBe('commit');
});

test('I63, I64: another profile or a short salt → kdf, an output of another length → key_length', async () => {
  expect(await errorCodeOf(() => opening({ kdf: 'W2' }))).toBe('kdf');
  expect(await errorCodeOf(() => opening({ kdf: 'A1' }))).toBe('kdf');
  expect(await errorCodeOf(() => opening({ salt_base64: encodeBase64(new Uint8Array(8)) }))).toBe('kdf');
  expect(await errorCodeOf(() => opening({}, PRF.slice(1)))).toBe('key_length');
  expect(await errorCodeOf(() => opening({ credential_id: 'A' }))).toBe('base64');
});

test('a slot of foreign keys opens nothing', async () => {
  const foreign = { bundle: bob.bundle, masterPassword: 'another', passkey: PASSKEY, prf: PRF, kdf: TEST_KDF };
  expect(await errorCodeOf(async () => opening(await wrapForPasskey(foreign)))).toBe('commit');
});

test('a wrong master password makes no slot', async () => {
  const wrong = { bundle: ada.bundle, masterPassword: 'wrong', passkey: PASSKEY, prf: PRF, kdf: TEST_KDF };
  expect(await errorCodeOf(() => wrapForPasskey(wrong))).toBe('commit');
});
