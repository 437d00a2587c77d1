/** The recovery key as text, and its slot: forged bundles and wrong keys (docs/spec/crypto.md §6). */
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, decodeHex, encodeBase64, encodeHex } from '../../../crypto/bytes.ts';
import { errorCodeOf } from '../../../testing/error-code.ts';
import { type TestPerson, createPerson } from '../../../testing/keyrings.ts';
import { TEST_KDF } from '../../../testing/test-kdf.ts';
import { type LockedKeyring, unlock, unlockWithRecoveryKey } from '../keyring.ts';
import type { SlotWire } from '../keyring-slot.ts';
import {
  foldRecoveryText,
  qrTextOfRecoveryKey,
  readRecoveryKey,
  textOfRecoveryKey,
  writeRecoveryKey,
} from './recovery-key.ts';
import { makeRecoveryKit, replaceForgottenPassword } from './recovery-slot.ts';

const COUNTED = '000G-40R4-0M30-E209-185G-R38E-1W81-24GK-R';

describe('the text of a recovery key', () => {
  // Written by another program.
  test.each([
    ['000102030405060708090a0b0c0d0e0f10111213', COUNTED],
    ['0000000000000000000000000000000000000000', '0000-0000-0000-0000-0000-0000-0000-0000-0'],
    ['ffffffffffffffffffffffffffffffffffffffff', 'ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-8'],
    ['8527a891e224136950ff32ca212b45bc93f69fbb', 'GMKT-H4F2-4G9P-JM7Z-6B52-2AT5-QJ9Z-D7XV-*'],
    ['ad48ff99415b2f007dc35b7eb553fd1eb35ebfa2', 'NN4F-Z6A1-BCQG-0ZE3-BDZB-AMZX-3TSN-XFX2-~'],
    ['bbb965ab0c80d6538cf2184babad2a564a010376', 'QEWP-BARC-G3B5-737J-315T-QB9A-AS50-20VP-$'],
    ['73475cb40a568e8da8a045ced110137e159f890a', 'ED3N-SD0A-AT78-VA50-8Q7D-240K-FRAS-Z28A-='],
    ['d59eced1ded07f84c145592f65bdf854358e009c', 'TPFC-XMEY-T1ZR-9GA5-B4QP-BFFR-AGTR-W04W-U'],
  ])('%s is %s', (hex, text) => {
    const written = writeRecoveryKey(decodeHex(hex));
    expect([textOfRecoveryKey(written), qrTextOfRecoveryKey(written)]).toEqual([
      text,
      `pbrk:${text.replaceAll('-', '')}`,
    ]);
    expect(
      [text, qrTextOfRecoveryKey(written)].map((typed) => encodeHex(readRecoveryKey(typed) ?? new Uint8Array())),
    ).toEqual([hex, hex]);
  });

  test.each([
    ['lower case, spaces and no hyphens', ' 000g 40r4 0m30e209185gr38e1w8124gk r\n'],
    ['letters that look like digits', 'oOoG-4OR4-OM3O-E2O9-i85G-R38E-LW8I-24GK-R'],
    ['full-width symbols and dashes', '０００Ｇ–40R4–0M30–E209–185G–R38E–1W81–24GK–Ｒ'],
  ])('is read from %s', (_, typed) => {
    expect(foldRecoveryText(typed)).toBe(COUNTED.replaceAll('-', ''));
    expect(encodeHex(readRecoveryKey(typed) ?? new Uint8Array())).toBe('000102030405060708090a0b0c0d0e0f10111213');
  });

  test('each changed symbol, and each pair of swapped ones, is found by the check symbol', () => {
    const text = COUNTED.replaceAll('-', '');
    for (let at = 0; at < text.length - 1; at += 1) {
      for (const other of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (other !== text[at]) expect(readRecoveryKey(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      }
      const [one = '', next = ''] = text.slice(at, at + 2);
      if (at < 31 && one !== next) {
        expect(readRecoveryKey(text.slice(0, at) + next + one + text.slice(at + 2))).toBeNull();
      }
    }
  });

  test.each([
    '',
    COUNTED.slice(0, -2),
    `${COUNTED}0`,
    COUNTED.replace('G', 'U'),
    'pbrk:',
    'pbrk',
    '<b>',
    COUNTED.repeat(9),
  ])('%j is none', (typed) => expect(readRecoveryKey(typed)).toBeNull());
});

describe('a recovery kit', () => {
  const masterPassword = 'correct horse';
  let ada: TestPerson;
  let slot: SlotWire;
  let recoveryKey: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    ada = await createPerson(masterPassword);
    const made = await makeRecoveryKit({ bundle: ada.bundle, masterPassword, kdf: TEST_KDF });
    slot = made.slot;
    recoveryKey = readRecoveryKey(textOfRecoveryKey(made.written)) ?? new Uint8Array();
  });
  const bundle = (...recovery: readonly SlotWire[]): LockedKeyring =>
    ({ ...ada.bundle, slots: [...ada.bundle.slots, ...recovery] }) as unknown as LockedKeyring;

  test('opens the same keys as the master password, and only a right master password makes one', async () => {
    expect(slot).toMatchObject({ slot_type: 'recovery', kdf: 'R1', salt_base64: '' });
    expect((await unlockWithRecoveryKey({ bundle: bundle(slot), recoveryKey })).fingerprint).toBe(
      ada.keyring.fingerprint,
    );
    const wrong = { bundle: ada.bundle, masterPassword: 'another', kdf: TEST_KDF };
    expect(await errorCodeOf(() => makeRecoveryKit(wrong))).toBe('commit');
  });

  test('gives a new master password to the same keys', async () => {
    const newMasterPassword = 'bättery staple';
    const made = await replaceForgottenPassword({
      bundle: bundle(slot),
      recoveryKey,
      newMasterPassword,
      kdf: TEST_KDF,
    });
    const changed = { ...ada.bundle, slots: [made] } as unknown as LockedKeyring;
    const opened = await unlock({ bundle: changed, masterPassword: newMasterPassword, kdf: TEST_KDF });
    expect(opened.fingerprint).toBe(ada.keyring.fingerprint);
  });

  test.each<[string, string, () => LockedKeyring]>([
    ['another key', 'commit', () => bundle(slot)],
    ['the slot of another id', 'commit', () => bundle({ ...slot, slot_id: crypto.randomUUID() })],
    ['another account', 'commit', () => ({ ...bundle(slot), user_id: crypto.randomUUID() })],
    ['a changed blob', 'commit', () => bundle({ ...slot, blob_base64: flipped(slot.blob_base64) })],
    ['no slot', 'kdf', () => bundle()],
    ['two slots', 'kdf', () => bundle(slot, slot)],
    ['another profile', 'kdf', () => bundle({ ...slot, kdf: 'R2' })],
    ['a salt', 'kdf', () => bundle({ ...slot, salt_base64: 'AAAA' })],
  ])('%s opens nothing: %s', async (name, code, forged) => {
    const tried = name === 'another key' ? new Uint8Array(20) : recoveryKey;
    expect(await errorCodeOf(() => unlockWithRecoveryKey({ bundle: forged(), recoveryKey: tried }))).toBe(code);
  });

  function flipped(base64: string): string {
    const bytes = decodeBase64(base64);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    return encodeBase64(bytes);
  }
});
