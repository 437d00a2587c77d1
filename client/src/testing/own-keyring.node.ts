/**
 * The keyring and worker of one person, with a server that answers one key bundle or what a test makes of it.
 */
import { afterEach, beforeAll } from 'vitest';
import type { Envelope, KeyBundle, RosterAnswer } from '@passwordbroker/core/contract/entities';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import type { OutputOf, FieldContext } from '../keyring/calls.ts';
import { type VaultKeyring, withGroups } from '../keyring/groups/group-openings.ts';
import { type Keyring, createKeyring } from '../keyring/keyring.ts';
import type { KeyringWorker, Tabs } from '../platform.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { workerInProcess } from './worker-in-process.ts';
import { loadNow } from './load-now.ts';

export const MASTER_PASSWORD = 'correct horse 🐎';
export const USER = '11111111-2222-4333-8444-555555555555';
export const GROUP = 'aaaaaaaa-2222-4333-8444-555555555555';
export const PLACE: FieldContext = {
  entryGroupId: GROUP,
  entryId: 'bbbbbbbb-2222-4333-8444-555555555555',
  fieldId: 'cccccccc-2222-4333-8444-555555555555',
  type: 'password',
  rev: 1,
};

/** Call once per file. Locks opened keyrings after each test. */
export function withOwnKeyring() {
  let bundle: KeyBundle;
  let certificate: NonNullable<KeyBundle['certificate']>;

  const opened: Keyring[] = [];

  function open(changes: { kdf?: Kdf; bundle?: unknown; tabs?: Tabs } = {}): VaultKeyring & { endSession(): void } {
    let end = () => undefined as void;
    const keyring = createKeyring({
      http: {
        call: (() => Promise.resolve(changes.bundle ?? bundle)) as never,
        onSessionEnded(listener) {
          end = listener;
          return () => true;
        },
        onStorageCleared: () => () => true,
      },
      startWorker: () => workerInProcess(changes.kdf ?? TEST_KDF),
      tabs: changes.tabs ?? onlyTab(),
      watchPresence: () => undefined,
      idleMs: () => 600_000,
      load: loadNow,
    });
    opened.push(keyring);
    return { ...withGroups(keyring), endSession: () => end() };
  }

  async function unlocked(): Promise<VaultKeyring> {
    const keyring = open();
    await keyring.unlock(MASTER_PASSWORD);
    return keyring;
  }

  async function rosterOf(keyring: Keyring, groupId = GROUP): Promise<RosterAnswer> {
    const keys: OutputOf<'createGroupKeys'> = await keyring.call('createGroupKeys', {
      groupId,
      parentId: null,
      path: ['Group'],
      listed: [],
    });
    return {
      entry_group_id: groupId,
      gk_version: 1,
      origin: 'client',
      rosters: [
        {
          entry_group_id: groupId,
          seq: 0,
          roster_base64: keys.roster_base64,
          roster_sig_base64: keys.roster_sig_base64,
          roster_proof_base64: keys.roster_proof_base64 ?? null,
          roster_proof_prev_base64: null,
          signer: USER,
          signer_certificate: certificate,
          created_at: '',
        },
      ],
      grants: keys.grants.map((grant) => ({
        entry_group_id: groupId,
        user_id: grant.user_id,
        role: grant.role,
        gk_version: 1,
        alg: 'rsa-oaep-256',
        encrypted_aes_password_base64: grant.encrypted_aes_password,
        recipient_fpr: grant.recipient_fpr,
        granted_by: USER,
      })),
    };
  }

  async function sealed(keyring: Keyring, text = 's3cr3t', place = PLACE): Promise<Envelope> {
    const content =
      place.type === 'TOTP'
        ? { title: 'T', text, totp: { algorithm: 'sha1' as const, period: 30 } }
        : { title: 'Root', login: 'ada', text };
    const revision = await keyring.call('sealField', { place, content });
    return {
      field_id: place.fieldId,
      entry_id: place.entryId,
      entry_group_id: place.entryGroupId,
      type: place.type,
      rev: place.rev,
      crypto_profile: 'pb1',
      gk_version: revision.gk_version,
      cek_wrapped_base64: revision.cek_wrapped,
      encrypted_value_base64: revision.value_encrypted,
      initialization_vector_base64: revision.initialization_vector,
      file: null,
    };
  }

  /** An opened keyring, with every worker that it has started so far. */
  async function openWithWorkers() {
    const workers: KeyringWorker[] = [];
    const keyring = createKeyring({
      http: {
        call: (() => Promise.resolve(bundle)) as never,
        onSessionEnded: () => () => true,
        onStorageCleared: () => () => true,
      },
      startWorker: () => {
        const worker = workerInProcess(TEST_KDF);
        workers.push(worker);
        return worker;
      },
      tabs: onlyTab(),
      watchPresence: () => undefined,
      idleMs: () => 600_000,
      load: loadNow,
    });
    opened.push(keyring);
    await keyring.unlock(MASTER_PASSWORD);
    return { keyring, workers };
  }

  beforeAll(async () => {
    const { keyBundle: made, trust } = await open().createAccount({ userId: USER, masterPassword: MASTER_PASSWORD });
    certificate = { ...made.certificate, fpr: '', created_at: '' };
    const { fpr: _, ...unnamed } = certificate;
    certificate = unnamed as typeof certificate;
    bundle = {
      user_id: USER,
      keyset: made.keyset,
      certificate,
      must_rekey: false,
      slots: made.slots.map((slot) => ({ ...slot, version: 1 })),
      documents: [{ name: trust.name, version: trust.version + 1, blob_base64: trust.blob_base64 }],
    };
  });
  afterEach(() => {
    for (const keyring of opened.splice(0)) keyring.lock();
  });

  return { bundle: () => bundle, open, unlocked, openWithWorkers, rosterOf, sealed };
}
