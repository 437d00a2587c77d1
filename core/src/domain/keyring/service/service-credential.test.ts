/** Profile S1 with its frozen values, and the text of a credential (docs/spec/crypto.md §6). */
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { decodeHex, encodeBase64, encodeHex } from '../../../crypto/bytes.ts';
import { deriveBytes } from '../../../crypto/kdf.ts';
import { encodeBase64Url } from '../../../crypto/rsa.ts';
import { importSealingKey, open, sealWithSalt } from '../../../crypto/seal.ts';
import { errorCodeOf } from '../../../testing/error-code.ts';
import { VECTORS as V } from '../../../testing/pb1-vectors.ts';
import type { SlotWire } from '../keyring-slot.ts';
import {
  bearerOf,
  createMachineSlot,
  deriveMachineToken,
  openMachineSlot,
  readBearer,
  readCredential,
  writeCredential,
} from './service-credential.ts';
import {
  type NewServiceKeys,
  createNextCredential,
  createServiceKeys,
  unlockWithCredential,
} from './service-keyring.ts';

const { user_id: userId, slot_id: slotId } = V.ids;
const secret = Uint8Array.from({ length: 32 }, (_, at) => at);
const origin = 'https://vault.example';
const frozen = { userId, slotId, secret, origin };

describe('frozen values of S1', () => {
  const KEK = 'e5873b542f9fdd47d745ba49969214902c48d6fa5f98cf72b4fddb0dedfc283c';
  const context = { userId, slotId, slotType: 'machine', desc: 'hkdf-s1' };
  const userKey = decodeHex(V.slot.user_key_hex);

  test('key and slot', async () => {
    const kek = await deriveBytes(secret, new Uint8Array(0), ['pb1:kek', userId, slotId, 'hkdf-s1'], 32);
    expect(encodeHex(kek)).toBe(KEK);
    const salt = new Uint8Array(32).fill(0x55);
    const slot = await sealWithSalt('slot', await importSealingKey(kek), context, userKey, salt);
    expect(slot.length).toBe(116);
    expect(encodeHex(await sha256(slot))).toBe('10151a730b8d69e0a4da8ee2d61b46bec887c1328945daa947d18b519538ba42');
    const wire = { slot_id: slotId, slot_type: 'machine', kdf: 'S1', salt_base64: '', blob_base64: encodeBase64(slot) };
    expect(await openMachineSlot([wire], frozen)).toEqual(userKey);
  });

  test('a new slot opens with the frozen key', async () => {
    const { blob_base64 } = await createMachineSlot(frozen, userKey);
    const blob = Uint8Array.from(atob(blob_base64), (letter) => letter.charCodeAt(0));
    expect(await open('slot', await importSealingKey(decodeHex(KEK)), context, blob)).toEqual(userKey);
  });

  test('token', async () => {
    const token = await deriveMachineToken(frozen);
    expect(encodeBase64Url(token)).toBe('hfkWwpQme-RaUr2Yx0b663x4COGOOs1ea_x3SpRgauM');
    expect(encodeHex(await sha256(token))).toBe('2a946297e1b374d5371a028f84e6159616229f04f1db74c21d5849191cfb8df5');
    const bearer = bearerOf(slotId, token);
    expect(bearer).toBe(`pbs_${slotId.replaceAll('-', '')}_hfkWwpQme-RaUr2Yx0b663x4COGOOs1ea_x3SpRgauM`);
    expect(readBearer(bearer)).toEqual({ slotId, token });
  });

  test.each(['', 'pbt_x', 'pbs_', `pbs_${slotId}_x`, `pbs_${'0'.repeat(32)}_${'A'.repeat(42)}B`])(
    '%j is no bearer text',
    (text) => expect(readBearer(text)).toBeNull(),
  );
});

describe('the text of a credential', () => {
  const text = writeCredential(frozen);

  test('keeps account, slot, secret and origin', () => {
    // Its last four bytes are the CRC-32 as Python's zlib computes it: a156b0a6.
    expect(text).toBe(
      'pbsa1_AV8MClKPPkplmlcNejqdHwGzobDEfQ9MOYoMVdH1uPCqAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9odHRwczovL3ZhdWx0LmV4YW1wbGWhVrCm',
    );
    expect(readCredential(`  ${text}\n`)).toEqual(frozen);
  });

  test('each changed, missing and swapped character is found', () => {
    for (let at = 0; at < text.length; at += 1) {
      for (const other of 'A0z-_ .') {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        if (changed !== text) expect(readCredential(changed)).toBeNull();
      }
      expect(readCredential(text.slice(0, at) + text.slice(at + 1))).toBeNull();
      expect(readCredential(text.slice(0, at))).toBeNull();
    }
    for (const more of [`${text}A`, `${text}=`, text + text, `x${text}`, text.toUpperCase(), 'A'.repeat(10_000)]) {
      expect(readCredential(more)).toBeNull();
    }
  });
});

describe('the keys of a service account', () => {
  let made: NewServiceKeys;
  beforeAll(async () => {
    made = await createServiceKeys({ userId, origin, keysetVersion: 1 });
  });
  const slotOf = ({ credential }: Pick<NewServiceKeys, 'credential'>): SlotWire => ({
    slot_id: credential.slot_id,
    slot_type: 'machine',
    kdf: 'S1',
    salt_base64: '',
    blob_base64: credential.blob_base64,
  });
  const bundle = (...slots: SlotWire[]) => ({ user_id: userId, ...made.bundle, slots });
  const present = () => readCredential(made.text)!;

  test('open with the credential, and the server gets the hash of its token', async () => {
    const keyring = await unlockWithCredential(bundle(slotOf(made)), present());
    expect(keyring.fingerprint).toBe(made.keyring.fingerprint);
    const token = await deriveMachineToken(present());
    expect(made.credential.token_sha256_base64).toBe(encodeBase64(await sha256(token)));
    const sent = JSON.stringify([made.bundle, made.credential]);
    for (const hidden of [encodeBase64(present().secret), encodeBase64(token), encodeBase64Url(token)]) {
      expect(sent).not.toContain(hidden);
    }
  });

  test('open with a further credential, too', async () => {
    const next = await createNextCredential(bundle(slotOf(made)), present());
    const read = readCredential(next.text)!;
    expect([read.userId, read.origin]).toEqual([userId, origin]);
    expect(read.slotId).not.toBe(present().slotId);
    const both = bundle(slotOf(made), slotOf(next));
    expect((await unlockWithCredential(both, read)).fingerprint).toBe(made.keyring.fingerprint);
    expect((await unlockWithCredential(both, present())).fingerprint).toBe(made.keyring.fingerprint);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['another secret', 'commit', () => unlockWithCredential(bundle(slotOf(made)), { ...present(), secret })],
    [
      'another account',
      'certificate',
      () => unlockWithCredential({ ...bundle(slotOf(made)), user_id: slotId }, present()),
    ],
    [
      'the slot of another id',
      'commit',
      () => unlockWithCredential(bundle({ ...slotOf(made), slot_id: slotId }), { ...present(), slotId }),
    ],
    ['no slot', 'kdf', () => unlockWithCredential(bundle(), present())],
    ['another type', 'kdf', () => unlockWithCredential(bundle({ ...slotOf(made), slot_type: 'recovery' }), present())],
    ['another profile', 'kdf', () => unlockWithCredential(bundle({ ...slotOf(made), kdf: 'R1' }), present())],
    ['a salt', 'kdf', () => unlockWithCredential(bundle({ ...slotOf(made), salt_base64: 'AAAA' }), present())],
    ['a short secret', 'key_length', () => deriveMachineToken({ ...present(), secret: secret.subarray(1) })],
    [
      'another keyset',
      'certificate',
      async () => {
        const other = await createServiceKeys({ userId, origin, keysetVersion: 1 });
        return unlockWithCredential({ ...bundle(slotOf(made)), keyset: other.bundle.keyset }, present());
      },
    ],
  ])('%s opens nothing: %s', async (_name, code, act) => expect(await errorCodeOf(act)).toBe(code));
});
