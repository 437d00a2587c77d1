/** One write for both slots after the recovery key was used, and the rules of the kit (docs/spec/crypto.md §6). */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onlyMine, removeSlot, replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import { get, keyReset } from '@passwordbroker/core/contract/users/people';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { unlock, unlockWithRecoveryKey } from '@passwordbroker/core/domain/keyring/keyring';
import { readRecoveryKey, textOfRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import {
  makeRecoveryKit,
  replaceForgottenPassword,
} from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-slot';
import { everything, giveRole, makeGroup } from '../../operations/testing/vault.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import { TEST_KDF } from '../../testing/test-person.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { readKeyBundle } from './key-repository.ts';

const NEW = 'another master password';
const SITE = 'https://vault.example.org';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp({
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.c', PUBLIC_URL: SITE, TRUST_PROXY: 'none' },
  });
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const bundleOf = async () => {
  const bundle = await readKeyBundle(app.deps.db, ada.userId);
  if (bundle === undefined) throw new Error('no bundle');
  return bundle;
};
const newKit = async () => {
  const made = await makeRecoveryKit({
    bundle: await bundleOf(),
    masterPassword: ada.masterPassword,
    kdf: TEST_KDF,
  });
  return { key: textOfRecoveryKey(made.written), slot: sent(made.slot) };
};
const sent = ({ slot_id, kdf, salt_base64, blob_base64 }: Awaited<ReturnType<typeof replaceForgottenPassword>>) => ({
  slot_id,
  kdf,
  salt_base64,
  blob_base64,
});
const bytesOf = (key: string) => readRecoveryKey(key) ?? new Uint8Array();
/** A kit that is stored. */
async function kit(version = 0) {
  const made = await newKit();
  await put('recovery', { slot: made.slot }, version);
  return made;
}
const put = (slotType: string, body: object, version: number) =>
  callWithProof(app, ada, replaceSlot, { params: { slotType }, body, headers: { 'if-match': String(version) } });
const remove = (version: number) =>
  callWithProof(app, ada, removeSlot, { params: { slotType: 'recovery' }, headers: { 'if-match': String(version) } });
const forgotten = async (key: string) =>
  sent(
    await replaceForgottenPassword({
      bundle: await bundleOf(),
      recoveryKey: bytesOf(key),
      newMasterPassword: NEW,
      kdf: TEST_KDF,
    }),
  );

/** The master passwords and recovery keys that open the keys now. */
async function opens(...keys: readonly string[]) {
  const bundle = await bundleOf();
  const tries = [
    ...[ada.masterPassword, NEW].map((masterPassword) => unlock({ bundle, masterPassword, kdf: TEST_KDF })),
    ...keys.map((key) => unlockWithRecoveryKey({ bundle, recoveryKey: bytesOf(key) })),
  ];
  return Promise.all(
    tries.map((opening) =>
      opening.then(
        ({ fingerprint }) => fingerprint === ada.keyring.fingerprint,
        () => false,
      ),
    ),
  );
}
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const events = async () =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select('event_type')
      .where('event_type', 'in', ['keys_changed', 'recovery_kit_made', 'recovery_kit_removed', 'recovery_kit_used'])
      .orderBy('audit_id')
      .execute()
  ).map(({ event_type }) => event_type);
const mails = async () =>
  (await app.deps.db.read.selectFrom('mail_outbox').select('notice').orderBy('mail_id').execute()).map(
    ({ notice }) => notice,
  );

test('one write puts the new password slot in and takes the used recovery slot out', async () => {
  const { key } = await kit();
  expect(await opens(key)).toEqual([true, false, true]);
  const slot = await forgotten(key);
  const answer = await put('password', { slot, by: 'recovery', recovery: { version: 1, slot: null } }, 1);
  expect(answer.slots).toEqual([{ ...slot, slot_type: 'password', version: 2 }]);
  expect(await opens(key)).toEqual([false, true, false]);
  expect(await events()).toEqual(['recovery_kit_made', 'keys_changed', 'recovery_kit_used']);
  expect(await mails()).toEqual(['recovery kit made', 'recovery key used']);
});

test('the same write may put a new kit in the place of the used one', async () => {
  const [used, next] = [await kit(), await newKit()];
  const slot = await forgotten(used.key);
  await put('password', { slot, by: 'recovery', recovery: { version: 1, slot: next.slot } }, 1);
  expect(await opens(used.key, next.key)).toEqual([false, true, false, true]);
  expect((await bundleOf()).slots.map(({ slot_type, version }) => `${slot_type} ${version}`)).toEqual([
    'password 2',
    'recovery 2',
  ]);
});

test('another version of either slot changes neither', async () => {
  const { key } = await kit();
  const slot = await forgotten(key);
  const used = { slot, by: 'recovery', recovery: { version: 1, slot: null } };
  await refused(() => put('password', used, 2), { code: 'slot_conflict', details: { current_version: 1 } });
  const other = { ...used, recovery: { version: 2, slot: null } };
  await refused(() => put('password', other, 1), { code: 'slot_conflict', details: { current_version: 1 } });
  // The slot was removed meanwhile, so the used key no longer counts.
  await remove(1);
  await refused(() => put('password', used, 1), { code: 'slot_conflict', details: { current_version: 0 } });
});

test('a failure after both slots were written leaves both as they were (R49)', async () => {
  const { key } = await kit();
  const slot = await forgotten(key);
  const before = await everything(app.deps);
  // The notice is the last statement of the transaction.
  await app.deps.db.transact((tx) => sql`alter table mail_outbox rename to mail_outbox_away`.execute(tx));
  const used = { slot, by: 'recovery', recovery: { version: 1, slot: null } };
  await expect(put('password', used, 1)).rejects.toMatchObject({ status: 500 });
  await app.deps.db.transact((tx) => sql`alter table mail_outbox_away rename to mail_outbox`.execute(tx));
  expect(await everything(app.deps)).toBe(before);
  expect(await opens(key)).toEqual([true, false, true]);
  await put('password', used, 1);
  expect(await opens(key)).toEqual([false, true, false]);
});

test.each<[string, string, object, object]>([
  ['no version of the kit', 'password', { by: 'recovery' }, { errors: { recovery: [expect.any(String)] } }],
  ['not said what opened the keys', 'password', { recovery: { version: 1, slot: null } }, { status: 422 }],
  ['another means', 'password', { by: 'escrow', recovery: { version: 1, slot: null } }, { status: 422 }],
  [
    'for the recovery slot itself',
    'recovery',
    { by: 'recovery', recovery: { version: 1, slot: null } },
    { status: 422 },
  ],
])('%s: refused', async (_, slotType, body, problem) => {
  const { key } = await kit();
  const slot = slotType === 'recovery' ? (await newKit()).slot : await forgotten(key);
  await refused(() => put(slotType, { slot, ...body }, 1), problem);
});

test('a slot of another profile is no new kit', async () => {
  const { key } = await kit();
  const slot = await forgotten(key);
  const recovery = { version: 1, slot };
  await refused(() => put('password', { slot, by: 'recovery', recovery }, 1), {
    status: 422,
    errors: { 'slot.kdf': ['The kdf is malformed.'] },
  });
});

test('a new kit replaces the former one; removing one needs a fresh sign-in', async () => {
  const former = await kit();
  const next = await kit(1);
  expect(await opens(former.key, next.key)).toEqual([true, false, false, true]);
  expect((await ada.call(get, { params: { id: ada.userId } })).recovery_kit_at).toBe(
    new Date(app.clock.now()).toISOString(),
  );
  app.clock.advance(11 * MINUTE);
  await refused(() => remove(2), { code: 'reauth_required' });
  const fresh = Object.assign(await app.signIn(ada), { keyring: ada.keyring });
  await callWithProof(app, fresh, removeSlot, { params: { slotType: 'recovery' }, headers: { 'if-match': '2' } });
  expect(await opens(next.key)).toEqual([true, false, false]);
  expect((await ada.call(get, { params: { id: ada.userId } })).recovery_kit_at).toBeNull();
  expect(await events()).toEqual(['recovery_kit_made', 'recovery_kit_made', 'recovery_kit_removed']);
  expect((await mails()).at(-1)).toBe('recovery kit removed');
});

test('I83 where the site asks for a kit, it is replaced and never removed', async () => {
  const former = await kit();
  await ada.call(changeSettings, { body: { recovery_kit: 'required' } });
  await refused(() => remove(1), {
    status: 409,
    code: 'conflict',
    message: 'This site asks for a recovery kit. Make a new one instead.',
  });
  const next = await kit(1);
  expect(await opens(former.key, next.key)).toEqual([true, false, false, true]);
});

test('the groups of which a person is the only member are named to that person, and counted for site admins', async () => {
  const bob = await app.signUp('bob');
  const alone = await makeGroup(bob, 'Alone');
  const shared = await makeGroup(bob, 'Shared');
  await giveRole(app.deps, shared, ada.userId, 'member');
  expect((await bob.call(onlyMine)).groups).toEqual([{ entry_group_id: alone, name: 'Alone' }]);
  expect((await ada.call(onlyMine)).groups).toEqual([]);
  const reset = await ada.call(keyReset, { params: { id: bob.userId } });
  expect([reset.only_member, reset.groups.length]).toEqual([1, 2]);
});
