/** The desk of a person with several browsers, on the real server. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readDocument } from '@passwordbroker/core/contract/account/own-keys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { deviceStoreInMemory, emptyDevice, type StoredRecords } from '../testing/device-store-in-memory.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { createDesk, type PersonalDesk } from './desk.ts';

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-2222-4222-8222-222222222222';
const entry = (id: string) => ({ kind: 'entry', id }) as const;
const starred = (desk: PersonalDesk) => desk.view()?.favourites.map(({ id }) => id);

let app: TestApp;
let ada: SignedIn;
let count = 0;
const opened: RealVault[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  ada = await app.signUp(`ada${(count += 1)}`);
});
afterAll(async () => {
  for (const { keyring } of opened) keyring.lock();
  await app.stop();
});

interface Browser {
  readonly real: RealVault;
  readonly desk: PersonalDesk;
  unlock(): Promise<void>;
}

function browserOf(person: SignedIn, device: StoredRecords = emptyDevice()): Browser {
  const real = vaultOf(person, undefined, deviceStoreInMemory(device));
  opened.push(real);
  const desk = createDesk(real.http, real.keyring);
  return {
    real,
    desk,
    async unlock() {
      await real.keyring.unlock(person.masterPassword);
      await vi.waitFor(() => expect(desk.view()).toBeDefined());
    },
  };
}

const stored = async (person: SignedIn) =>
  (await person.call(keyBundle)).documents.find(({ name }) => name === 'desk') ?? null;

test('a star reaches the server sealed, other browsers of the person, and nobody while the vault is locked', async () => {
  const [one, other] = [browserOf(ada), browserOf(ada)];
  expect(one.desk.view()).toBeUndefined();
  await expect(one.desk.change({ favourite: entry(FIRST), isOn: true })).rejects.toMatchObject({ code: 'locked' });
  await one.unlock();
  expect(one.desk.view()).toEqual({ favourites: [], searches: [], recent: [], isDamaged: false });
  await one.desk.change({ favourite: entry(FIRST), isOn: true });
  const document = await stored(ada);
  expect(document?.version).toBe(1);
  expect(Buffer.from(document?.blob_base64 ?? '', 'base64').toString('latin1')).not.toContain(FIRST);
  await other.unlock();
  expect(starred(other.desk)).toEqual([FIRST]);
  await other.desk.change({ favourite: entry(FIRST), isOn: false });
  one.real.keyring.lock();
  expect(one.desk.view()).toBeUndefined();
  await one.unlock();
  expect(starred(one.desk)).toEqual([]);
});

test('a write that meets another version merges it and writes again; nothing is lost', async () => {
  const [one, other] = [browserOf(ada), browserOf(ada)];
  await one.unlock();
  await other.unlock();
  await Promise.all([
    one.desk.change({ favourite: entry(FIRST), isOn: true }),
    other.desk.change({ favourite: entry(SECOND), isOn: true }),
  ]);
  await one.desk.change({ searchId: FIRST, search: { name: 'Late', query: 'due:late' } });
  expect((await stored(ada))?.version).toBe(3);
  const third = browserOf(ada);
  await third.unlock();
  expect(starred(third.desk)?.toSorted()).toEqual([FIRST, SECOND]);
  expect(third.desk.view()?.searches).toEqual([{ id: FIRST, name: 'Late', query: 'due:late' }]);
});

test('without the server a star stays in the browser and is written at the next unlock', async () => {
  const device = emptyDevice();
  const away = browserOf(ada, device);
  await away.unlock();
  away.real.refuse = (request) => (request.includes('/documents/desk') ? { code: null, status: 502 } : null);
  await away.desk.change({ favourite: entry(FIRST), isOn: true });
  expect(starred(away.desk)).toEqual([FIRST]);
  expect(await stored(ada)).toBeNull();
  away.real.keyring.lock();
  const back = browserOf(ada, device);
  await back.unlock();
  await vi.waitFor(async () => expect((await stored(ada))?.version).toBe(1));
  expect(starred(back.desk)).toEqual([FIRST]);
});

test('an older document that the server shows again is merged, and the newer state is put back', async () => {
  const device = emptyDevice();
  const one = browserOf(ada, device);
  await one.unlock();
  await one.desk.change({ favourite: entry(FIRST), isOn: true });
  const old = await app.deps.db.read.selectFrom('user_documents').selectAll().where('name', '=', 'desk').execute();
  await one.desk.change({ favourite: entry(SECOND), isOn: true });
  one.real.keyring.lock();
  const row = old.find(({ user_id }) => user_id === ada.userId);
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('user_documents')
      .set({ n: row?.n ?? 0, blob: row?.blob ?? Buffer.alloc(0) })
      .where('user_id', '=', ada.userId)
      .where('name', '=', 'desk')
      .execute(),
  );
  const again = browserOf(ada, device);
  await again.unlock();
  await vi.waitFor(async () => expect((await stored(ada))?.version).toBe(2));
  const fresh = browserOf(ada);
  await fresh.unlock();
  expect(starred(fresh.desk)?.toSorted()).toEqual([FIRST, SECOND]);
});

test('a damaged document, or that of another person, shows nothing and is replaced only by the person', async () => {
  const one = browserOf(ada);
  await one.unlock();
  await one.desk.change({ favourite: entry(FIRST), isOn: true });
  const eve = await app.signUp(`eve${count}`);
  const foreign = await sealDocument(eve.keyring, { name: 'desk', n: 1 }, { v: 1, favourites: [] });
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('user_documents')
      .set({ blob: Buffer.from(foreign, 'base64') })
      .where('user_id', '=', ada.userId)
      .where('name', '=', 'desk')
      .execute(),
  );
  const fresh = browserOf(ada);
  await fresh.unlock();
  expect(fresh.desk.view()).toMatchObject({ favourites: [], isDamaged: true });
  // A star stays in this browser meanwhile.
  await fresh.desk.change({ favourite: entry(SECOND), isOn: true });
  expect((await stored(ada))?.blob_base64).toBe(foreign);
  await fresh.desk.begin();
  expect(fresh.desk.view()).toMatchObject({ favourites: [{ id: SECOND }], isDamaged: false });
  expect(await ada.call(readDocument, { params: { name: 'desk' } })).toMatchObject({ version: 2 });
});

test('a list begun anew replaces a damaged one even if it is empty', async () => {
  await app.deps.db.transact((tx) =>
    tx
      .insertInto('user_documents')
      .values({ user_id: ada.userId, name: 'desk', n: 1, blob: Buffer.alloc(100) })
      .execute(),
  );
  const one = browserOf(ada);
  await one.unlock();
  expect(one.desk.view()).toMatchObject({ isDamaged: true });
  await one.desk.begin();
  expect(await ada.call(readDocument, { params: { name: 'desk' } })).toMatchObject({ version: 2 });
  const next = browserOf(ada);
  await next.unlock();
  expect(next.desk.view()).toMatchObject({ favourites: [], isDamaged: false });
});

test('a full list says so, and stays as it was', async () => {
  const one = browserOf(ada);
  await one.unlock();
  const favourites = Array.from({ length: 500 }, (_, n) => ({
    ...entry(`33333333-3333-4333-8333-${String(n).padStart(12, '0')}`),
    at: 1,
  }));
  const blob = await sealDocument(ada.keyring, { name: 'desk', n: 1 }, { v: 1, favourites, searches: [] });
  await app.deps.db.transact((tx) =>
    tx
      .insertInto('user_documents')
      .values({ user_id: ada.userId, name: 'desk', n: 1, blob: Buffer.from(blob, 'base64') })
      .execute(),
  );
  const full = browserOf(ada);
  await full.unlock();
  await expect(full.desk.change({ favourite: entry(FIRST), isOn: true })).rejects.toMatchObject({
    code: 'favourites_full',
    message: 'You have 500 favourites, which is the limit. Remove one first.',
  });
  expect(starred(full.desk)).toHaveLength(500);
  expect((await stored(ada))?.version).toBe(1);
});

test('opening, changing and using an entry makes it recent, in this browser only', async () => {
  const device = emptyDevice();
  const one = browserOf(ada, device);
  await one.unlock();
  const { write, read } = one.real.vault;
  if (write === null) throw new Error('read-only');
  const group = (await write.createGroup({ name: 'Team', parentId: null, sameMembers: false })).entryGroup;
  const entryGroupId = group.entry_group_id;
  const paths = await Promise.all(
    ['Made', 'Shown', 'Untouched'].map(async (title) => ({
      entryGroupId,
      entryId: (await write.createEntry(entryGroupId, title)).entry_id,
    })),
  );
  const [made, shown] = paths;
  if (made === undefined || shown === undefined) throw new Error('no entries');
  const password = { type: 'password', title: 'Root', login: 'root', value: 's3cr3t' } as const;
  const field = await write.createField(shown, password);
  await write.createField(made, password);
  const recent = async () => {
    await one.desk.refresh();
    return one.desk.view()?.recent;
  };
  await vi.waitFor(async () => expect(await recent()).toEqual([made.entryId, shown.entryId]));
  await read.reveal({ ...shown, field });
  await vi.waitFor(async () => expect(await recent()).toEqual([shown.entryId, made.entryId]));
  one.desk.use(made.entryId);
  await vi.waitFor(() => expect(one.desk.view()?.recent).toEqual([made.entryId, shown.entryId]));
  expect(await stored(ada)).toBeNull();
  // Sealed in this browser, and known after the next unlock.
  expect(JSON.stringify([...device.records])).not.toContain(made.entryId);
  one.real.keyring.lock();
  const later = browserOf(ada, device);
  await later.unlock();
  expect(later.desk.view()?.recent).toEqual([made.entryId, shown.entryId]);
  const elsewhere = browserOf(ada);
  await elsewhere.unlock();
  expect(elsewhere.desk.view()?.recent).toEqual([]);
});
