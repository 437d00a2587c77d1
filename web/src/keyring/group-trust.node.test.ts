/** A list that was signed in one's own name, but not with one's present key (crypto.md §9). */
import { afterEach, expect, test } from 'vitest';
import type { Certificate, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { type NewGroupKeyWire, createGroupKeys } from '@passwordbroker/core/domain/group-keys';
import {
  type Keyring as CoreKeyring,
  type NewKeyBundleWire,
  createKeyring as createKeys,
} from '@passwordbroker/core/domain/keyring';
import { rekey } from '@passwordbroker/core/domain/rekey';
import { type RosterWire, readRoster } from '@passwordbroker/core/domain/roster';
import type { SentProofs } from '@passwordbroker/core/domain/trust/roster-proof';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { onlyTab } from '../testing/tabs-of-one-browser.ts';
import { workerInProcess } from '../testing/worker-in-process.ts';
import { type VaultKeyring, withGroups } from './group-openings.ts';
import { type Keyring, createKeyring } from './keyring.ts';

const USER = '11111111-2222-4333-8444-555555555555';
const GROUP = 'aaaaaaaa-2222-4333-8444-555555555555';
const [MASTER_PASSWORD, NEW_MASTER_PASSWORD] = ['correct horse 🐎', 'another horse 🐎'];

const opened: Keyring[] = [];
afterEach(() => {
  for (const keyring of opened.splice(0)) keyring.lock();
});

const made = createKeys({ userId: USER, masterPassword: MASTER_PASSWORD, kdf: TEST_KDF, keysetVersion: 1 });

async function unlocked(bundle: NewKeyBundleWire, masterPassword: string): Promise<VaultKeyring> {
  const slots = bundle.slots.map((slot) => ({ ...slot, version: 1 }));
  const answer = { ...bundle, user_id: USER, must_rekey: false, slots, documents: [], record: null };
  const keyring = createKeyring({
    http: { call: (() => Promise.resolve(answer)) as never, onSessionEnded: () => () => true },
    startWorker: () => workerInProcess(TEST_KDF),
    tabs: onlyTab(),
    watchPresence: () => undefined,
  });
  opened.push(keyring);
  await keyring.unlock(masterPassword);
  return withGroups(keyring);
}

type Grants = readonly Pick<NewGroupKeyWire['grants'][number], 'role' | 'recipient_fpr' | 'encrypted_aes_password'>[];

const answerOf = (
  signer: NewKeyBundleWire['certificate'],
  rosters: readonly (RosterWire & SentProofs)[],
  grants: Grants,
) =>
  ({
    entry_group_id: GROUP,
    gk_version: 1,
    origin: 'client',
    rosters: rosters.map(({ roster_base64, roster_sig_base64, roster_proof_base64 = null }, seq) => ({
      entry_group_id: GROUP,
      seq,
      roster_base64,
      roster_sig_base64,
      roster_proof_base64,
      roster_proof_prev_base64: null,
      signer: USER,
      signer_certificate: { ...signer, created_at: '' } as Certificate,
      created_at: '',
    })),
    grants: grants.map(({ encrypted_aes_password, ...grant }) => ({
      ...grant,
      entry_group_id: GROUP,
      user_id: USER,
      gk_version: 1,
      alg: 'rsa-oaep-256',
      encrypted_aes_password_base64: encrypted_aes_password,
      granted_by: USER,
    })),
  }) satisfies RosterAnswer;

const bornOf = (keyring: CoreKeyring) =>
  createGroupKeys(keyring, { groupId: GROUP, members: [{ identity: keyring.identity, role: 'admin' }], now: 0 });

test('a list that oneself had signed with keys of before can be confirmed, and the key rotated', async () => {
  const { keyring: former, bundle: before } = await made;
  const { wire } = await bornOf(former);
  const own = answerOf(before.certificate, [wire], wire.grants).grants;
  const { wire: renewed } = await rekey(former, {
    masterPassword: NEW_MASTER_PASSWORD,
    kdf: TEST_KDF,
    grants: own,
    documents: [],
    record: null,
  });
  const { certificate } = renewed.key_bundle;
  const keyring = await unlocked(renewed.key_bundle, NEW_MASTER_PASSWORD);
  const show = async () => answerOf(before.certificate, [wire], renewed.grants);
  await keyring.openGroup(GROUP, show);
  expect(keyring.memberships.trust(GROUP)).toEqual({ readOnly: 'signer' });
  await keyring.call('confirmGroup', {
    groupId: GROUP,
    hash: keyring.memberships.newest(GROUP)?.hash ?? null,
    certificates: [],
  });
  keyring.forgetGroup(GROUP);
  await keyring.openGroup(GROUP, show);
  expect(keyring.memberships.trust(GROUP)).toBe('accepted');
  const listed = [{ certificate: { ...certificate, created_at: '' } as Certificate, role: 'admin' as const }];
  const rotation = await keyring.call('startRotation', { groupId: GROUP, listed, confirmed: null });
  const { seq, members } = readRoster(decodeBase64(rotation.roster_base64));
  expect([seq, members.map(({ fingerprint }) => fingerprint)]).toEqual([1, [renewed.grants[0]?.recipient_fpr]]);
});

test('a list that somebody signed in one’s name is not confirmed by who never had other keys', async () => {
  const { bundle } = await made;
  const forger = await createKeys({ userId: USER, masterPassword: 'x', kdf: TEST_KDF, keysetVersion: 1 });
  const { wire } = await bornOf(forger.keyring);
  const keyring = await unlocked(bundle, MASTER_PASSWORD);
  await keyring.openGroup(GROUP, async () => answerOf(forger.bundle.certificate, [wire], wire.grants));
  expect(keyring.memberships.trust(GROUP)).toEqual({ readOnly: 'signer' });
  await expect(
    keyring.call('confirmGroup', {
      groupId: GROUP,
      hash: keyring.memberships.newest(GROUP)?.hash ?? null,
      certificates: [],
    }),
  ).rejects.toMatchObject({ code: 'key_changed' });
});
