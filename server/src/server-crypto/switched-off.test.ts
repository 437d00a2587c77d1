/**
 * Calls with a master password while server crypto is allowed, off, or refused by the person (T73).
 * Counts key derivations.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { fieldsPath, signUpPlain } from './testing/script.ts';
import type { EntryPath, Script } from './testing/script.ts';

const GROUPS = '/passwordBroker/api/entryGroups';
let app: TestApp;
let ada: Script;
let bob: Script;
let place: EntryPath & { f: string };

beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
  bob = await signUpPlain(app.guest(), 'bob', ada.client);
  const g = await ada.createGroup('Operations');
  const e = await ada.createEntry(g, 'Mail');
  const field = await ada.createField({ g, e }, { type: 'note', value: 'x' });
  place = { g, e, f: field.json<{ field_id: string }>().field_id };
});
afterAll(() => app.stop());

const setting = (value: string) =>
  app.deps.db.transact((tx) =>
    tx
      .insertInto('site_settings')
      .values({ name: 'server_crypto', value, updated_at: 0 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
const optOut = (email: string, value: 0 | 1) =>
  app.deps.db.transact((tx) =>
    tx.updateTable('users').set({ server_crypto_opt_out: value }).where('email', '=', email).execute(),
  );
const importForm = (script: Script) => {
  const form = new FormData();
  form.append('master_password', script.masterPassword);
  form.append('file', new File(['<x/>'], 'x.xml'));
  return form;
};

/** Every call that opens the caller's keys on the server, as Ada makes it. */
const CALLS: Record<string, () => Promise<{ status: number; json(): Record<string, unknown> }>> = {
  'a group with a master password': () =>
    ada.client.request({ path: GROUPS, json: { name: 'x', master_password: ada.masterPassword } }),
  'a group without one': () => ada.client.request({ path: GROUPS, json: { name: 'x' } }),
  'a field': () => ada.createField(place, { type: 'note', value: 'x' }),
  'a value': () => ada.decrypt(place),
  'a value of the history': () =>
    ada.client.request({
      path: `${fieldsPath(place)}/${place.f}/history/${place.f}/decrypted`,
      json: { master_password: ada.masterPassword },
    }),
  'an import': () => ada.client.request({ path: '/import', multipart: importForm(ada) }),
};

/** Number of key derivations during the work. */
async function derivations(work: () => Promise<void>): Promise<number> {
  const { kdf } = app.deps;
  let count = 0;
  const spy = {
    ...kdf,
    argon2id: (...input: Parameters<typeof kdf.argon2id>) => ((count += 1), kdf.argon2id(...input)),
  };
  Object.assign(app.deps, { kdf: spy });
  await work();
  Object.assign(app.deps, { kdf });
  return count;
}

describe.each([
  ['the site has it off', () => setting('off'), () => setting('allowed')],
  ['the person has opted out', () => optOut(ada.email, 1), () => optOut(ada.email, 0)],
])('while %s', (_, switchOff, switchOn) => {
  beforeAll(() => switchOff());
  afterAll(() => switchOn());

  test.each(Object.keys(CALLS).filter((name) => name !== 'a value of the history'))(
    '%s is refused before a key is derived',
    async (name) => {
      const derived = await derivations(async () => {
        const answer = await CALLS[name]!();
        expect([answer.status, answer.json()['code']]).toEqual([403, 'server_crypto_disabled']);
      });
      expect(derived).toBe(0);
    },
  );

  test('a client with its own keys works as before', async () => {
    const bundle = await ada.client.call(keyBundle);
    const keyring = await unlock({ bundle, masterPassword: ada.masterPassword, kdf: TEST_KDF });
    const batch = await sealedBatch(keyring, app.clock.now());
    expect((await ada.client.request({ path: '/import', multipart: batchForm(batch) })).status).toBe(201);
    const envelope = await ada.client.request({ path: `${fieldsPath(place)}/${place.f}/envelope` });
    expect(envelope.status).toBe(200);
  });
});

test('the opt-out of one person does not affect others', async () => {
  await optOut(ada.email, 1);
  expect((await bob.client.request({ path: GROUPS, json: { name: 'Bob’s' } })).status).toBe(201);
  await optOut(ada.email, 0);
});

describe('groups created by a script', () => {
  const rosterOf = (g: string) => ada.client.call(entryGroups.roster, { params: { g } });

  test('with a master password: signed in the caller’s name, so their client can open them', async () => {
    const g = await ada.createGroup('Signed');
    const wire = await rosterOf(g);
    const keyring = await unlock({
      bundle: await ada.client.call(keyBundle),
      masterPassword: ada.masterPassword,
      kdf: TEST_KDF,
    });
    const { roster } = await openGroup(keyring, wire, g);
    expect(wire.origin).toBe('client');
    expect(roster?.members).toEqual([{ userId: keyring.userId, role: 'admin', fingerprint: keyring.fingerprint }]);
  });

  test('without a master password: no roster, marked as created by the server, and usable', async () => {
    const g = await ada.createGroup('Unsigned', {});
    expect(await rosterOf(g)).toMatchObject({ origin: 'server', rosters: [], grants: [{ role: 'admin' }] });
    const e = await ada.createEntry(g, 'Entry');
    const field = await ada.createField({ g, e }, { type: 'note', value: 'readable' });
    const { field_id: f } = field.json<{ field_id: string }>();
    expect(Buffer.from((await ada.decrypt({ g, e, f })).text, 'base64').toString()).toBe('readable');
  });

  test('below a group where the caller may not create: refused before a key is derived', async () => {
    const derived = await derivations(async () => {
      const json = { name: 'x', parent_entry_group_id: place.g, master_password: bob.masterPassword };
      expect((await bob.client.request({ path: GROUPS, json })).status).toBe(403);
      const unknown = { ...json, parent_entry_group_id: crypto.randomUUID() };
      expect((await bob.client.request({ path: GROUPS, json: unknown })).json()).toMatchObject({
        errors: { parent_entry_group_id: ['The parent entry group does not exist.'] },
      });
    });
    expect(derived).toBe(0);
  });

  test('each call derives one key', async () => {
    for (const name of ['a group with a master password', 'a field', 'a value']) {
      expect(await derivations(async () => void (await CALLS[name]!()))).toBe(1);
    }
  });
});
