/** The client in plain Node, without a document or React, against the real server. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { type SignedIn, signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import { testPerson } from '../../server/src/testing/test-person.ts';
import { type Client, createClient } from './client.ts';
import { platformInMemory } from './testing/platform-in-memory.node.ts';
import { takeIn } from './testing/take-in.node.ts';
import type { FieldPath, VaultWrite } from './vault/vault.ts';

let app: TestApp;
let bob: SignedIn;
let ada: Client;

const ADA = {
  name: 'Ada',
  email: 'ada-client@example.org',
  password: 'account passphrase 41',
  masterPassword: 'violet ☂ quay 77',
  setupToken: '',
};
const PASSWORD = { type: 'password', title: 'Root', login: 'root', value: 'q8-Rf3' } as const;
const KEEPASS =
  '<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID>' +
  '<Name>Root</Name><Entry><UUID>AAAAAAAAAAAAAAAAAAAAAg==</UUID><String><Key>Title</Key><Value>Mail</Value></String>' +
  '<String><Key>Notes</Key><Value>imported</Value></String></Entry></Group></Root></KeePassFile>';

beforeAll(async () => {
  app = await startTestApp();
  const device = app.guest();
  ada = createClient(platformInMemory(device));
  await ada.session.check();
  await ada.session.signUp(ADA);
  const person = await testPerson('bob');
  await device.call(register, { body: { user: signUpBody(person) } });
  bob = await app.signIn(person);
});
afterAll(() => app.stop());

function writesOf({ vault }: Client): VaultWrite {
  if (vault.write === null) throw new Error('The vault of the server can be written');
  return vault.write;
}

async function clientOf(person: SignedIn): Promise<Client> {
  const client = createClient(platformInMemory(app.guest()));
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

  const imported = await writesOf(ada).importFile(new File([KEEPASS], 'team.xml'));
  const [entry] = await ada.vault.read.entries(imported.entry_group_id);
  const place = { entryGroupId: imported.entry_group_id, entryId: entry?.entry_id ?? '' };
  const [note] = await ada.vault.read.fields(place);
  if (note === undefined) throw new Error('The import brought no field');
  expect((await ada.vault.read.reveal({ ...place, field: note })).text).toBe('imported');

  await ada.session.logOut();
  expect([ada.session.view().user, ada.keyring.isOpen()]).toEqual([null, false]);
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
