import { describe, expect, test } from 'vitest';
import type { Envelope, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { DEFAULT_KDF, KDF_PROFILES, type Kdf } from '@passwordbroker/core/crypto/kdf';
import { openDocument } from '@passwordbroker/core/domain/keyring/documents';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { isCompared, readTrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { GROUP, MASTER_PASSWORD, PLACE, USER, withOwnKeyring } from '../testing/own-keyring.node.ts';
import { sourcesOf } from '../testing/group-sources.ts';
import type { FieldContext } from './calls.ts';

const { bundle, open, unlocked, rosterOf, sealed } = withOwnKeyring();

describe('unlocking', () => {
  test('the right master password opens the keyring, also in another Unicode normalization', async () => {
    const keyring = open();
    expect(keyring.isOpen()).toBe(false);
    await keyring.unlock(MASTER_PASSWORD.normalize('NFD'));
    expect(keyring.isOpen()).toBe(true);
  });

  test.each(['wrong', '', 'x'.repeat(1025), '\uD800'])(
    'a wrong master password is reported as wrong: %j',
    async (masterPassword) => {
      const keyring = open();
      await expect(keyring.unlock(masterPassword)).rejects.toMatchObject({ code: 'wrong_master_password' });
      expect(keyring.isOpen()).toBe(false);
    },
  );

  test.each<[string, (slot: Record<string, unknown>) => Record<string, unknown>]>([
    ['unknown name', (slot) => ({ ...slot, kdf: 'A0' })],
    ['the test profile', (slot) => ({ ...slot, kdf: 'T0' })],
    ['null', (slot) => ({ ...slot, kdf: null })],
    ['numbers', (slot) => ({ ...slot, kdf: { memoryKib: 8, iterations: 1, parallelism: 1 } })],
    ['a property name of Object', (slot) => ({ ...slot, kdf: 'constructor' })],
    ['a short salt', (slot) => ({ ...slot, kdf: 'A1', salt_base64: 'AAAAAAAAAAA=' })],
    ['no salt', (slot) => ({ ...slot, kdf: 'A1', salt_base64: '' })],
  ])('a weakened derivation is refused before Argon2 runs (M9, M10): %s', async (_, weaken) => {
    let derivations = 0;
    const kdf: Kdf = {
      profiles: KDF_PROFILES,
      defaultProfile: DEFAULT_KDF,
      argon2id: () => {
        derivations += 1;
        return Promise.resolve(new Uint8Array(32));
      },
    };
    const weak = { ...bundle(), slots: bundle().slots.map((slot) => weaken({ ...slot })) };
    const keyring = open({ kdf, bundle: weak });
    await expect(keyring.unlock(MASTER_PASSWORD)).rejects.toMatchObject({ code: 'integrity', detail: 'kdf' });
    expect(derivations).toBe(0);
  });

  test('another salt opens nothing; additional parameters beside the name change nothing (M10, M11)', async () => {
    const slots = bundle().slots.map((slot) => ({ ...slot, iterations: 1, memory: 1 }));
    await open({ bundle: { ...bundle(), slots } }).unlock(MASTER_PASSWORD);
    const salted = bundle().slots.map((slot) => ({ ...slot, salt_base64: 'AAAAAAAAAAAAAAAAAAAAAA==' }));
    const other = open({ bundle: { ...bundle(), slots: salted } });
    await expect(other.unlock(MASTER_PASSWORD)).rejects.toMatchObject({ code: 'wrong_master_password' });
  });

  test('keys of another certificate are reported as damage, not as a wrong password (M13)', async () => {
    const { keyBundle: other } = await open().createAccount({ userId: USER, masterPassword: MASTER_PASSWORD });
    const mixed = { ...bundle(), certificate: { ...other.certificate, created_at: '' } };
    await expect(open({ bundle: mixed }).unlock(MASTER_PASSWORD)).rejects.toMatchObject({ code: 'integrity' });
  });
});

describe('a value', () => {
  test('opens with the title and login that were sealed with it', async () => {
    const keyring = await unlocked();
    const roster = await rosterOf(keyring);
    await keyring.openGroup(
      GROUP,
      sourcesOf(() => Promise.resolve(roster)),
    );
    const envelope = await sealed(keyring, 'pässwörd 🔑');
    expect(await keyring.call('openEnvelope', { place: PLACE, envelope })).toEqual({
      title: 'Root',
      login: 'ada',
      text: 'pässwörd 🔑',
      totp: null,
      file: null,
    });
  });

  test('a file comes back byte for byte, and its key never leaves the worker', async () => {
    const keyring = await unlocked();
    const roster = await rosterOf(keyring);
    await keyring.openGroup(
      GROUP,
      sourcesOf(() => Promise.resolve(roster)),
    );
    const place: FieldContext = { ...PLACE, type: 'file' };
    const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
    const named = { title: 'F', name: 'a.bin', mime: 'text/html' };
    const { revision, body } = await keyring.call('sealFile', { place, ...named, file: new Blob([bytes]) });
    const envelope: Envelope = {
      ...(await sealed(keyring)),
      type: 'file',
      cek_wrapped_base64: revision.cek_wrapped,
      encrypted_value_base64: revision.value_encrypted,
      file: { body_size: body.size },
    };
    const open = (at = place) =>
      body.arrayBuffer().then((sealedBody) => keyring.call('openFile', { place: at, envelope, body: sealedBody }));
    const { content, blob } = await open();
    expect(content).toEqual({
      title: 'F',
      login: null,
      text: '',
      totp: null,
      file: { name: 'a.bin', mime: 'text/html', size: 200_000 },
    });
    expect(blob.type).toBe('application/octet-stream');
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
    const cut = (await body.arrayBuffer()).slice(0, 36 + 65_552);
    await expect(keyring.call('openFile', { place, envelope, body: cut })).rejects.toMatchObject({
      code: 'integrity',
      detail: 'file_chunk 0',
    });
  });

  test.each<[string, Partial<FieldContext>]>([
    ['another field', { fieldId: 'dddddddd-2222-4333-8444-555555555555' }],
    ['another entry', { entryId: 'dddddddd-2222-4333-8444-555555555555' }],
    ['another type: a password shown as a link', { type: 'link' }],
    ['a newer number for an old revision', { rev: 2 }],
  ])('moved to another place is refused (M1–M4): %s', async (_, change) => {
    const keyring = await unlocked();
    const roster = await rosterOf(keyring);
    await keyring.openGroup(
      GROUP,
      sourcesOf(() => Promise.resolve(roster)),
    );
    const envelope = await sealed(keyring);
    const place = { ...PLACE, ...change };
    await expect(keyring.call('openEnvelope', { place, envelope })).rejects.toMatchObject({
      code: 'integrity',
      detail: 'commit',
    });
  });

  test('moved to another group is refused (M3)', async () => {
    const keyring = await unlocked();
    const other = 'eeeeeeee-2222-4333-8444-555555555555';
    const [roster, otherRoster] = [await rosterOf(keyring), await rosterOf(keyring, other)];
    await keyring.openGroup(
      GROUP,
      sourcesOf(() => Promise.resolve(roster)),
    );
    await keyring.openGroup(
      other,
      sourcesOf(() => Promise.resolve(otherRoster)),
    );
    const envelope = await sealed(keyring);
    const place = { ...PLACE, entryGroupId: other };
    await expect(keyring.call('openEnvelope', { place, envelope })).rejects.toMatchObject({ code: 'integrity' });
  });

  test.each([0, 3, 4, 36, 68, -1])('with a flipped bit at byte %i is refused (M6)', async (at) => {
    const keyring = await unlocked();
    const roster = await rosterOf(keyring);
    await keyring.openGroup(
      GROUP,
      sourcesOf(() => Promise.resolve(roster)),
    );
    const envelope = await sealed(keyring);
    const bytes = Buffer.from(envelope.encrypted_value_base64, 'base64');
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    const broken = { ...envelope, encrypted_value_base64: bytes.toString('base64') };
    await expect(keyring.call('openEnvelope', { place: PLACE, envelope: broken })).rejects.toMatchObject({
      code: 'integrity',
    });
  });
});

describe('a group whose roster and key do not match is locked (M17, M19, M20)', () => {
  const swapFirst = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  test.each<[string, (roster: RosterAnswer, other: RosterAnswer) => RosterAnswer]>([
    ['no roster', (roster) => ({ ...roster, rosters: [] })],
    ['no grant', (roster) => ({ ...roster, grants: [] })],
    [
      'a bad signature',
      (roster) => ({
        ...roster,
        rosters: roster.rosters.map((one) => ({ ...one, roster_sig_base64: swapFirst(one.roster_sig_base64) })),
      }),
    ],
    ['the roster of another group', (roster, other) => ({ ...roster, rosters: other.rosters })],
    [
      'no certificate',
      (roster) => ({ ...roster, rosters: roster.rosters.map((one) => ({ ...one, signer_certificate: null })) }),
    ],
    ['a secret that the roster does not commit to', (roster, other) => ({ ...roster, grants: other.grants })],
    [
      'an unknown algorithm',
      (roster) => ({ ...roster, grants: roster.grants.map((grant) => ({ ...grant, alg: 'rsa1_5' })) }),
    ],
  ])('%s', async (_, forge) => {
    // Created on another device, so this one has never seen the group.
    const maker = await unlocked();
    const [roster, other] = [await rosterOf(maker), await rosterOf(maker, 'eeeeeeee-2222-4333-8444-555555555555')];
    const keyring = await unlocked();
    await expect(
      keyring.openGroup(
        GROUP,
        sourcesOf(() => Promise.resolve(forge(roster, other))),
      ),
    ).rejects.toMatchObject({
      code: 'key_mismatch',
    });
    const sealing = keyring.call('sealField', { place: PLACE, content: { title: '', login: '', text: 'x' } });
    await expect(sealing).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('a second attempt may succeed: a failure is not cached', async () => {
    const keyring = await unlocked();
    const roster = await rosterOf(keyring);
    await expect(
      keyring.openGroup(
        GROUP,
        sourcesOf(() => Promise.resolve({ ...roster, grants: [] })),
      ),
    ).rejects.toThrow();
    expect(
      await keyring.openGroup(
        GROUP,
        sourcesOf(() => Promise.resolve(roster)),
      ),
    ).toBe(1);
  });
});

test('T124 a new account has a trust record that contains the key of the inviter', async () => {
  const inviter = { userId: '0197f1d2-0000-7000-8000-00000000000a', name: 'Ada', fingerprint: 'ab'.repeat(32) };
  const { keyBundle, trust } = await open().createAccount({ userId: USER, masterPassword: MASTER_PASSWORD, inviter });
  const locked = { user_id: USER, ...keyBundle };
  const keyring = await unlock({ bundle: locked, masterPassword: MASTER_PASSWORD, kdf: TEST_KDF });
  expect([trust.name, trust.version, keyring.isMadeWithRecord]).toEqual(['trust', 0, true]);
  const record = await openDocument(keyring, { name: 'trust', n: 1 }, trust.blob_base64, readTrustRecord);
  expect([isCompared(record, inviter.userId, inviter.fingerprint), record.groups]).toEqual([true, {}]);
});

test.each(['x'.repeat(1025), '\uD800', ''])(
  'an unusable master password for a new account is reported as unusable: %j',
  async (masterPassword) => {
    await expect(open().createAccount({ userId: USER, masterPassword })).rejects.toMatchObject({
      code: 'unusable_master_password',
    });
  },
);
