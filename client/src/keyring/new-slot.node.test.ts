import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { createPerson, type TestPerson } from '@passwordbroker/core/testing/keyrings';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import type { ChangePhase } from './calls.ts';
import { makeNewSlot } from './services.ts';

const OLD = 'correct horse';
const NEW = 'bättery staple 🔋';

let person: TestPerson;
let bundle: KeyBundle;

beforeAll(async () => {
  person = await createPerson(OLD);
  const slots = person.bundle.slots.map((slot) => ({ ...slot, version: 1 }));
  const certificate = { ...person.bundle.certificate, created_at: '' } as NonNullable<KeyBundle['certificate']>;
  bundle = { ...person.bundle, certificate, slots, must_rekey: false, documents: [] };
});

function change(words: { old?: string; next?: string } = {}, stored = bundle) {
  const phases: ChangePhase[] = [];
  const request = { bundle: stored, oldMasterPassword: words.old ?? OLD, newMasterPassword: words.next ?? NEW };
  return { phases, slot: makeNewSlot(TEST_KDF, request, { onProgress: (phase) => phases.push(phase) }) };
}

describe('a new master password', () => {
  test('the new master password opens the same keys, and the old one no longer does', async () => {
    const { phases, slot } = change();
    const made = await slot;
    expect(phases).toEqual(['trying', 'locking']);
    const changed = { ...bundle, slots: [{ ...made, slot_type: 'password' as const, version: 2 }] };
    const opened = await unlock({ bundle: changed, masterPassword: NEW, kdf: TEST_KDF });
    expect(opened.fingerprint).toBe(person.keyring.fingerprint);
    const byTheOld = unlock({ bundle: changed, masterPassword: OLD, kdf: TEST_KDF });
    await expect(byTheOld).rejects.toMatchObject({ code: 'commit' });
    const [before] = bundle.slots;
    expect(made.slot_id).not.toBe(before?.slot_id);
    expect(made.salt_base64).not.toBe(before?.salt_base64);
  });

  test.each(['wrong', '', 'x'.repeat(1025)])('a wrong old master password is reported as wrong: %j', async (old) => {
    await expect(change({ old }).slot).rejects.toMatchObject({ code: 'wrong_master_password' });
  });

  test.each(['', 'x'.repeat(1025), '\uD800'])(
    'an unusable new master password is not reported as a wrong old one: %j',
    async (next) => {
      const { phases, slot } = change({ next });
      await expect(slot).rejects.toMatchObject({ code: 'unusable_master_password' });
      expect(phases).toEqual([]);
    },
  );

  test('damage is not reported as a wrong password', async () => {
    const damaged = { ...bundle, slots: bundle.slots.map((slot) => ({ ...slot, salt_base64: 'AAAA' })) };
    await expect(change({}, damaged).slot).rejects.toMatchObject({ name: 'CryptoError', code: 'kdf' });
  });
});
