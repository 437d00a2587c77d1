import { afterEach, beforeEach, expect, test } from 'vitest';
import { me } from '@passwordbroker/core/contract/account/session';
import { removeSlot, replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import { changeMasterPassword, unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { auditOf, everything } from '../../operations/testing/vault.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { TEST_KDF } from '../../testing/test-person.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { readKeyBundle } from './key-repository.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const NEW = 'another master password';
async function newSlot(newMasterPassword = NEW) {
  const { slot_id, kdf, salt_base64, blob_base64 } = await changeMasterPassword({
    bundle: { user_id: ada.userId, ...ada.bundle, certificate: null },
    oldMasterPassword: ada.masterPassword,
    newMasterPassword,
    kdf: TEST_KDF,
  });
  return { slot_id, kdf, salt_base64, blob_base64 };
}
type Slot = Awaited<ReturnType<typeof newSlot>>;
const put = (slot: Partial<Slot>, version: string | null = '1', slotType = 'password') =>
  callWithProof(app, ada, replaceSlot, {
    params: { slotType },
    body: { slot },
    headers: version === null ? {} : { 'if-match': version },
  });
/** Expects a refusal that changes nothing. */
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const opens = async (masterPassword: string) => {
  const bundle = await readKeyBundle(app.deps.db, ada.userId);
  if (bundle === undefined) throw new Error('no bundle');
  return unlock({ bundle, masterPassword, kdf: TEST_KDF }).then(
    ({ fingerprint }) => fingerprint,
    (error: unknown) => (error as { code: string }).code,
  );
};

test('the slot is replaced, and nothing else changes', async () => {
  const before = await readKeyBundle(app.deps.db, ada.userId);
  const slot = await newSlot();
  const answer = await put(slot);
  expect(answer).toEqual({ ...before, slots: [{ ...slot, slot_type: 'password', version: 2 }] });
  expect(await opens(NEW)).toBe(ada.keyring.fingerprint);
  expect(await opens(ada.masterPassword)).toBe('commit');
  // The server never saw the master password (T79).
  expect((await ada.call(me)).user?.mp_exposed_at).toBeNull();
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['user_id', 'details'])
    .where('event_type', '=', 'keys_changed')
    .execute();
  expect(events).toEqual([{ user_id: ada.userId, details: '{"slot":"password"}' }]);
  await put(await newSlot('a third one'), '"2"');
  expect(await opens('a third one')).toBe(ada.keyring.fingerprint);
});

test('only the version named in If-Match is replaced', async () => {
  const slot = await newSlot();
  for (const version of ['0', '2']) {
    await refused(() => put(slot, version), { status: 412, code: 'slot_conflict', details: { current_version: 1 } });
  }
  for (const version of [null, '', 'x', '*', 'W/"1"', '-1']) {
    await refused(() => put(slot, version), { status: 400, code: 'bad_request' });
  }
});

test('of two concurrent changes one is stored', async () => {
  const [one, two] = [await newSlot('one'), await newSlot('two')];
  const results = await Promise.allSettled([put(one), put(two)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const winner = results[0].status === 'fulfilled' ? 'one' : 'two';
  expect(await opens(winner)).toBe(ada.keyring.fingerprint);
});

test('a proof with the account’s own keys is needed', async () => {
  const slot = await newSlot();
  const path = '/identity/api/keyBundle/slots/password';
  const headers = { 'if-match': '1' };
  const before = await everything(app.deps);
  const missing = await ada.request({ method: 'PUT', path, json: { slot }, headers });
  expect([missing.status, missing.json()['errors']]).toEqual([422, { master_password: ['MasterPassword is missing'] }]);
  const wrong = await ada.request({ method: 'PUT', path, json: { slot }, headers: { ...headers, 'x-pb-proof': 'v1' } });
  expect([wrong.status, wrong.json()['code']]).toEqual([403, 'proof_invalid']);
  expect(await everything(app.deps)).toBe(before);
  const bob = await app.signUp('bob');
  const foreign = Object.assign(await app.signIn(ada), { keyring: bob.keyring });
  await refused(
    () => callWithProof(app, foreign, replaceSlot, { params: { slotType: 'password' }, body: { slot }, headers }),
    { code: 'proof_invalid' },
  );
});

test.each([
  [{ kdf: 'A0' }, 'slot.kdf', 'The kdf is malformed.'],
  [{ salt_base64: 'AAAA' }, 'slot.salt_base64', 'The salt base64 is malformed.'],
  [{ blob_base64: Buffer.alloc(116).toString('base64') }, 'slot.blob_base64', 'The blob base64 is malformed.'],
  [{ blob_base64: 'no base64' }, 'slot.blob_base64', 'The blob base64 is malformed.'],
])('%j is not a valid slot', async (change, member, text) => {
  const slot = await newSlot();
  await refused(() => put({ ...slot, ...change }), {
    status: 422,
    code: 'bad_sealed_value',
    errors: { [member]: [text] },
  });
});

test('an unknown slot type is not found, a recovery slot needs its own profile, and the id of another slot is taken', async () => {
  const slot = await newSlot();
  await refused(() => put(slot, '1', 'other'), { code: 'not_found' });
  await refused(() => put(slot, '0', 'recovery'), { status: 422, errors: { 'slot.kdf': ['The kdf is malformed.'] } });
  const bob = await app.signUp('bob');
  const slot_id = bob.bundle.slots[0]?.slot_id ?? '';
  await refused(() => put({ ...slot, slot_id }), { code: 'id_taken' });
  expect(await auditOf(app.deps, 'keys_changed', ada.userId)).toEqual([]);
});

test('a recovery slot is added beside the password slot, and removed again', async () => {
  const { slot_id: _, ...made } = await newSlot();
  const slot = { ...made, slot_id: app.deps.newId(), kdf: 'R1', salt_base64: '' };
  const salted = { ...slot, salt_base64: made.salt_base64 };
  await refused(() => put(salted, '0', 'recovery'), {
    errors: { 'slot.salt_base64': ['The salt base64 is malformed.'] },
  });
  await refused(() => put({ ...slot, kdf: 'T0' }, '0', 'recovery'), {
    errors: { 'slot.kdf': ['The kdf is malformed.'] },
  });
  await refused(() => put({ ...made, slot_id: app.deps.newId(), kdf: 'R1' }), {
    errors: { 'slot.kdf': ['The kdf is malformed.'] },
  });
  const { slots } = await put(slot, '0', 'recovery');
  expect(slots).toMatchObject([
    { slot_type: 'password', version: 1 },
    { slot_type: 'recovery', kdf: 'R1', salt_base64: '' },
  ]);
  const remove = (slotType: string, version: string) =>
    callWithProof(app, ada, removeSlot, { params: { slotType }, headers: { 'if-match': version } });
  await refused(() => remove('password', '1'), { code: 'not_found' });
  await refused(() => remove('recovery', '2'), { code: 'slot_conflict', details: { current_version: 1 } });
  await remove('recovery', '1');
  await refused(() => remove('recovery', '1'), { code: 'not_found' });
  expect(await opens(ada.masterPassword)).toBe(ada.keyring.fingerprint);
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select('event_type')
    .where('event_type', 'in', ['keys_changed', 'recovery_kit_made', 'recovery_kit_removed'])
    .orderBy('audit_id')
    .execute();
  expect(events.map(({ event_type }) => event_type)).toEqual(['recovery_kit_made', 'recovery_kit_removed']);
});
