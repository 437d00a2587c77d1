/** The client in plain Node, without a document or React, against the real server. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { importWhole } from './testing/import-whole.ts';
import { keysOf } from '../../server/src/testing/account-keys.ts';
import { findLeaks } from '../../server/src/testing/leaks.ts';
import { type SignedIn, signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestClient } from '../../server/src/testing/test-client.ts';
import { testPerson } from '../../server/src/testing/test-person.ts';
import { type Client, createClient } from './client.ts';
import type { KeyringWorker, Platform } from './platform.ts';
import { platformInMemory } from './testing/platform-in-memory.node.ts';
import { takeIn } from './testing/take-in.node.ts';
import type { FieldPath, VaultWrite } from './vault/vault.ts';

let app: TestApp;
let bob: SignedIn;
let cleo: SignedIn;
let ada: Client;
let device: TestClient;
/** What the clients have sent to the server. */
const sent: Buffer[] = [];

const ADA = {
  name: 'Ada',
  email: 'ada-client@example.org',
  password: 'account passphrase 41',
  masterPassword: 'violet ☂ quay 77',
  setupToken: '',
};
const PASSWORD = { type: 'password', title: 'Root', login: 'root', value: 'q8-Rf3!wZ_47uM' } as const;
const NOTE = 'Tz5.kK2-brought-along';
const KEEPASS =
  '<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID>' +
  '<Name>Root</Name><Entry><UUID>AAAAAAAAAAAAAAAAAAAAAg==</UUID><String><Key>Title</Key><Value>Mail</Value></String>' +
  `<String><Key>Notes</Key><Value>${NOTE}</Value></String></Entry></Group></Root></KeePassFile>`;

beforeAll(async () => {
  app = await startTestApp();
  device = app.guest();
  ada = createClient(recorded(device));
  await ada.session.check();
  await ada.session.signUp(ADA);
  bob = await signedUp('bob');
  cleo = await signedUp('cleo');
});
afterAll(() => app.stop());

/** A platform that keeps a copy of each request in `sent`. */
function recorded(person: TestClient): Platform {
  const platform = platformInMemory(person);
  return {
    ...platform,
    async exchange(outgoing) {
      const { method, url, headers, body } = outgoing;
      const bytes = body === undefined ? new ArrayBuffer() : await new Response(body).arrayBuffer();
      sent.push(Buffer.from(`${method} ${url} ${JSON.stringify(headers)}\n`), Buffer.from(bytes));
      return platform.exchange(outgoing);
    },
  };
}

/** Signed up by Ada, an administrator. */
async function signedUp(name: string): Promise<SignedIn> {
  const person = await testPerson(name);
  await device.call(register, { body: { user: signUpBody(person) } });
  return app.signIn(person);
}

function writesOf({ vault }: Client): VaultWrite {
  if (vault.write === null) throw new Error('The vault of the server can be written');
  return vault.write;
}

async function clientOf(person: SignedIn): Promise<Client> {
  const client = createClient(recorded(app.guest()));
  await client.session.check();
  await client.session.logIn(person.email, person.password);
  await client.keyring.unlock(person.masterPassword);
  return client;
}

async function groupWithPassword(client: Client, name: string): Promise<FieldPath> {
  const write = writesOf(client);
  const { entryGroup } = await write.createGroup({ name, parentId: null, sameMembers: false });
  const entryGroupId = entryGroup.entry_group_id;
  const { entry_id: entryId } = await write.createEntry(entryGroupId, 'Ledger');
  const path = { entryGroupId, entryId };
  return { ...path, field: await write.createField(path, PASSWORD) };
}

test('CL3 a client signs up, unlocks, writes, reveals, shares, removes, rotates and imports', async () => {
  expect(ada.session.view().status).toBe('logged-in');
  // The master password is asked for when it is first needed.
  const making = ada.masterPassword.use(() => groupWithPassword(ada, 'Production'), { label: 'add a group' });
  expect(ada.masterPassword.view().modal?.action).toBe('add a group');
  await ada.masterPassword.remember(ADA.masterPassword);
  const path = await making;
  const group = path.entryGroupId;
  expect((await ada.vault.read.reveal(path)).text).toBe(PASSWORD.value);

  await takeIn(ada, group, bob, 'member');
  const his = await clientOf(bob);
  expect((await his.vault.read.reveal(path)).text).toBe(PASSWORD.value);

  await writesOf(ada).members.remove(group, bob.userId);
  expect((await writesOf(ada).members.rotate(group, { force: true })).version).toBeGreaterThan(1);
  await expect(his.vault.read.reveal(path)).rejects.toThrow();
  expect((await ada.vault.read.reveal(path)).text).toBe(PASSWORD.value);

  const imported = await importWhole(writesOf(ada), new File([KEEPASS], 'team.xml'));
  const [entry] = await ada.vault.read.entries(imported.entry_group_id);
  const place = { entryGroupId: imported.entry_group_id, entryId: entry?.entry_id ?? '' };
  const [note] = await ada.vault.read.fields(place);
  if (note === undefined) throw new Error('The import brought no field');
  expect((await ada.vault.read.reveal({ ...place, field: note })).text).toBe(NOTE);

  await ada.session.logOut();
  expect([ada.session.view().user, ada.keyring.isOpen()]).toEqual([null, false]);
});

test('CL9 the requests of this story contain no master password, key or value in any encoding (M24)', async () => {
  await ada.session.logIn(ADA.email, ADA.password);
  const text = (value: string) => new TextEncoder().encode(value);
  const secrets = {
    'master password': text(ADA.masterPassword),
    "Bob's master password": text(bob.masterPassword),
    'a password': text(PASSWORD.value),
    'a note': text(NOTE),
    ...(await keysOf({
      get: async <T>(path: string) => (await device.request({ path })).json<T>(),
      masterPassword: ADA.masterPassword,
      kdf: TEST_KDF,
    })),
  };
  expect(Object.keys(secrets)).toEqual(expect.arrayContaining(['user key', 'RSA private key', 'Ed25519 seed']));
  const places = { requests: Buffer.concat(sent) };
  expect(places.requests.includes('/import ')).toBe(true);
  expect(findLeaks(secrets, places)).toEqual([]);
  // The search works: the account password is sent, and planted secrets are found.
  expect(findLeaks({ 'account password': text(ADA.password) }, places)).toHaveLength(1);
  for (const [name, bytes] of Object.entries(secrets)) {
    const planted = Buffer.concat([places.requests, Buffer.from(Buffer.from(bytes).toString('base64'))]);
    expect(findLeaks({ [name]: bytes }, { planted })).toEqual([{ secret: name, where: 'planted' }]);
  }
});

test('CL2 two clients in one process, connected to two servers, share nothing', async () => {
  const other = await startTestApp();
  try {
    const eve = await other.signUp('eve');
    const hers = createClient(platformInMemory(other.guest()));
    const his = await clientOf(bob);
    expect([hers.session.view().user, hers.keyring.isOpen()]).toEqual([null, false]);
    await hers.session.check();
    await hers.session.logIn(eve.email, eve.password);
    expect(hers.keyring.isOpen()).toBe(false);
    await hers.keyring.unlock(eve.masterPassword);
    const path = await groupWithPassword(hers, 'Other server');
    expect((await his.vault.read.tree()).map(({ title }) => title)).not.toContain('Other server');
    his.keyring.lock();
    expect((await hers.vault.read.reveal(path)).text).toBe(PASSWORD.value);
    expect(his.session.view().user?.user_id).toBe(bob.userId);
  } finally {
    await other.stop();
  }
});

test('CL2 no module of the client keeps state or runs anything when it is loaded', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'),
  );
  expect(files.length).toBeGreaterThan(100);
  const stateful = files.filter((file) =>
    /^(let |(void |await )?[a-z][\w.]*\(|(export )?const \w+(: [^=]+)? = (await |new \w+(<[^>]*>)?\(\)|new (Weak)?Map|create[A-Z]|open[A-Z]))/m.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
  );
  expect(stateful).toEqual([]);
});

const IS_WRITE = /^(?:POST|PUT|PATCH|DELETE) \S*\/passwordBroker\//;
type Act = (client: Client, path: FieldPath) => Promise<unknown>;

describe('CL8 locked while the worker is busy with', () => {
  let path: FieldPath;
  beforeAll(async () => {
    const client = await clientOf(cleo);
    path = await groupWithPassword(client, 'Staging');
    await takeIn(client, path.entryGroupId, bob, 'member');
    client.keyring.lock();
  });

  test.each<[string, string, Act]>([
    ['a reveal', 'openEnvelope', ({ vault }) => vault.read.reveal(path)],
    ['a write', 'sealField', (client) => writesOf(client).createField(path, PASSWORD)],
    [
      'a new role',
      'changeRole',
      (client) => writesOf(client).members.changeRole(path.entryGroupId, bob.userId, 'admin'),
    ],
    ['a removal', 'noteRemoval', (client) => writesOf(client).members.remove(path.entryGroupId, bob.userId)],
    ['a rotation', 'startRotation', (client) => writesOf(client).members.rotate(path.entryGroupId, { force: true })],
    ['an import', 'sealImport', (client) => importWhole(writesOf(client), new File([KEEPASS], 'team.xml'))],
    ['an unlock', 'unlock', ({ keyring }) => keyring.unlock(cleo.masterPassword)],
  ])('%s: the call rejects, the worker ends within 100 ms, and no write follows', async (_, name, act) => {
    const ends: Ends = { at: null, locked: null, ended: null, requests: 0 };
    const platform = recorded(app.guest());
    const startKeyring = () => endingWorker(platform.startKeyring(), ends, () => client.keyring.lock());
    const client = createClient({ ...platform, startKeyring });
    await client.session.check();
    await client.session.logIn(cleo.email, cleo.password);
    if (name !== 'unlock') await client.keyring.unlock(cleo.masterPassword);
    ends.at = name;
    await expect(act(client, path)).rejects.toMatchObject({ code: 'locked' });
    expect((ends.ended ?? Infinity) - (ends.locked ?? 0)).toBeLessThan(100);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The trust record may still be written: it was sealed before.
    const writes = sent.slice(ends.requests).filter((bytes) => IS_WRITE.test(bytes.toString('latin1')));
    expect([writes, client.keyring.isOpen()]).toEqual([[], false]);
  });
});

interface Ends {
  /** The call of the worker to lock in. */
  at: string | null;
  locked: number | null;
  ended: number | null;
  /** How many requests were sent before the lock. */
  requests: number;
}

function endingWorker(worker: KeyringWorker, ends: Ends, lock: () => void): KeyringWorker {
  return {
    ...worker,
    set onmessage(listener: KeyringWorker['onmessage']) {
      worker.onmessage = listener;
    },
    get onmessage() {
      return worker.onmessage;
    },
    postMessage(message, transfer) {
      worker.postMessage(message, transfer);
      if (!(message as readonly { readonly name?: string }[]).some(({ name }) => name === ends.at)) return;
      // After the worker has received the message, before it can answer.
      setImmediate(() => {
        ends.locked = performance.now();
        ends.requests = sent.length;
        lock();
      });
    },
    terminate() {
      worker.terminate();
      ends.ended = performance.now();
    },
  };
}
