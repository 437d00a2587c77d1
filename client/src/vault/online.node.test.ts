import { beforeEach, describe, expect, test } from 'vitest';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { importWhole } from '../testing/import-whole.ts';
import { vaultOf, type RealVault } from '../testing/real-vault.node.ts';
import { withPeople, withVault } from '../testing/with-vaults.node.ts';
import type { FieldChange, EntryPath, FieldPath, ImportOptions, NewField, VaultWrite } from './vault.ts';

let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
let path: EntryPath;

withPeople(['ada'], (_app, people) => ([ada] = people));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  const { entryGroup } = await write.createGroup({ name: 'Production', parentId: null, sameMembers: false });
  const entry = await write.createEntry(entryGroup.entry_group_id, 'Billing ledger');
  path = { entryGroupId: entryGroup.entry_group_id, entryId: entry.entry_id };
});

const BYTES = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
const FILE = new File([BYTES], 'ledger-root.p12', { type: 'application/x-pkcs12' });
const EVERY_KIND: readonly NewField[] = [
  { type: 'password', title: 'Root account', login: 'ledger_root', value: 'q8-Rf3_tYx 🔑' },
  { type: 'link', title: 'Console', value: 'https://console.ledger.internal:8443/primary' },
  { type: 'note', title: 'Runbook', value: 'Pause billing.\nThen promote — ☂' },
  { type: 'TOTP', title: 'Sign-in', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period: 45 },
  { type: 'file', title: 'Certificate', file: FILE },
];

const at = (field: Field): FieldPath => ({ ...path, field });

describe('fields of all five kinds', () => {
  test('are listed without values, in the order of their kinds, and open unchanged', async () => {
    for (const field of EVERY_KIND) await write.createField(path, field);
    const fields = await real.vault.read.fields(path);
    expect(fields.map(({ type, title }) => [type, title])).toEqual([
      ['password', 'Root account'],
      ['link', 'Console'],
      ['note', 'Runbook'],
      ['file', 'Certificate'],
      ['TOTP', 'Sign-in'],
    ]);
    expect(fields[0]).toMatchObject({ login: 'ledger_root', rev: 1 });
    const [password, link, note, file, totp] = fields;
    expect(await real.vault.read.reveal(at(password!))).toEqual({
      type: 'password',
      title: 'Root account',
      login: 'ledger_root',
      text: 'q8-Rf3_tYx 🔑',
      totp: null,
      file: null,
      disagreements: [],
    });
    expect((await real.vault.read.reveal(at(link!))).text).toBe('https://console.ledger.internal:8443/primary');
    expect((await real.vault.read.reveal(at(note!))).text).toBe('Pause billing.\nThen promote — ☂');
    expect(await real.vault.read.reveal(at(totp!))).toMatchObject({
      text: 'JBSWY3DPEHPK3PXP',
      totp: { algorithm: 'sha256', period: 45 },
      disagreements: [],
    });
    const progress: number[] = [];
    const opened = await real.vault.read.openFile(at(file!), { onProgress: (done) => progress.push(done) });
    expect(new Uint8Array(await opened.blob.arrayBuffer())).toEqual(BYTES);
    expect(opened.revealed).toMatchObject({ file: { name: 'ledger-root.p12', size: 100_000 }, disagreements: [] });
    expect(progress.at(-1)).toBe(1);
  });

  test('a reveal requests one envelope and is logged once; the roster is requested once per group', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    real.requests.length = 0;
    await real.vault.read.reveal(at(field));
    await real.vault.read.reveal(at(field));
    expect(real.requests).toEqual([
      expect.stringMatching(/^GET .*\/envelope$/),
      expect.stringMatching(/^GET .*\/envelope$/),
    ]);
    const history = await real.vault.read.history(at(field));
    expect(history.map(({ event_type, rev, has_value }) => [event_type, rev, has_value])).toEqual([
      ['decrypted', 1, false],
      ['decrypted', 1, false],
      ['created', 1, true],
    ]);
    const [, , created] = history;
    expect(await real.vault.read.revealRevision(at(field), created!)).toMatchObject({
      text: 'q8-Rf3_tYx 🔑',
      disagreements: [],
    });
  });

  test('nothing is requested while locked', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    real.keyring.lock();
    real.requests.length = 0;
    await expect(real.vault.read.reveal(at(field))).rejects.toMatchObject({ code: 'locked' });
    expect(real.requests).toEqual([]);
  });
});

describe('a child group with the members of its parent (docs/spec/decisions.md G3)', () => {
  test('opens for each of them', async () => {
    const sameMembers = await real.vault.read.members(path.entryGroupId);
    real.requests.length = 0;
    const child = await write.createGroup({ name: 'Child', parentId: path.entryGroupId, sameMembers });
    // The shown list is used without another request; the signed list decides who gets the key.
    expect(real.requests).toEqual([
      `GET /passwordBroker/api/entryGroups/${path.entryGroupId}/roster?from=0`,
      'POST /passwordBroker/api/entryGroups',
    ]);
    const group = child.entryGroup.entry_group_id;
    const entry = await write.createEntry(group, 'E');
    const childPath = { entryGroupId: group, entryId: entry.entry_id };
    const field = await write.createField(childPath, EVERY_KIND[1]!);
    const again = vaultOf(ada);
    await again.keyring.unlock(ada.masterPassword);
    expect((await again.vault.read.reveal({ ...childPath, field })).text).toBe(
      'https://console.ledger.internal:8443/primary',
    );
    expect((await real.vault.read.members(group)).map(({ role, user_id }) => [role, user_id])).toEqual([
      ['admin', ada.userId],
    ]);
  });
});

const MIB = 1024 * 1024;

describe('an import (docs/spec/decisions.md H7)', () => {
  const keepass = (entries: string) =>
    new File(
      [
        `<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name>${entries}</Group></Root></KeePassFile>`,
      ],
      'team.xml',
    );
  const string = (key: string, value: string) => `<String><Key>${key}</Key><Value>${value}</Value></String>`;
  const ENTRY = `<Entry><UUID>AAAAAAAAAAAAAAAAAAAAAg==</UUID>${string('Title', 'Büro')}${string('UserName', 'ada')}${string('Password', 'a&lt;b')}${string('URL', 'https://a.example')}${string('Notes', 'n')}</Entry>`;

  test('creates a tree whose values open; undo removes it', async () => {
    const phases = new Set<string>();
    const imported = await importWhole(write, keepass(ENTRY), { onProgress: ({ phase }) => phases.add(phase) });
    expect(imported).toMatchObject({ kind: 'import', counts: { entry_groups: 1, entries: 1, fields: 3 } });
    expect([...phases]).toEqual(['reading', 'sealing', 'uploading', 'storing']);
    const group = imported.entry_group_id;
    const [entry] = await real.vault.read.entries(group);
    expect(entry?.title).toBe('Büro');
    const place = { entryGroupId: group, entryId: entry?.entry_id ?? '' };
    const fields = await real.vault.read.fields(place);
    const opened = await Promise.all(fields.map((field) => real.vault.read.reveal({ ...place, field })));
    expect(opened.map(({ type, login, text }) => [type, login, text])).toEqual([
      ['password', 'ada', 'a<b'],
      ['link', null, 'https://a.example'],
      ['note', null, 'n'],
    ]);
    await write.undo(imported.operation_id);
    expect((await real.vault.read.tree()).some((node) => node.entry_group_id === group)).toBe(false);
  });

  test.each([
    ['not a KeePass file', new File(['<html/>'], 'a.xml')],
    ['an external entity', new File(['<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><KeePassFile/>'], 'a.xml')],
    ['empty', new File([], 'a.xml')],
  ])('is refused before anything is sent: %s', async (_, file) => {
    real.requests.length = 0;
    await expect(importWhole(write, file)).rejects.toMatchObject({ code: 'import_file' });
    expect(real.requests.some((request) => request.startsWith('POST'))).toBe(false);
  });

  test('that does not fit into one request goes in parts, and is one import', async () => {
    const bytes = Buffer.alloc(MIB, 'x').toString('base64');
    const entry = `<Entry>${string('Title', 'a')}<Binary><Key>a.bin</Key><Value Ref="0"/></Binary></Entry>`;
    const xml = await keepass(entry.repeat(64)).text();
    const file = new File(
      [xml.replace('</Meta>', `<Binaries><Binary ID="0">${bytes}</Binary></Binaries></Meta>`)],
      'a.xml',
    );
    real.requests.length = 0;
    const uploaded: number[] = [];
    const onProgress: ImportOptions['onProgress'] = ({ phase, done, total }) =>
      phase === 'uploading' && void uploaded.push(done / total);
    const imported = await importWhole(write, file, { onProgress });
    expect(imported.counts).toMatchObject({ entries: 64, fields: 64 });
    expect(
      real.requests.filter((request) => /^(POST|PUT)/.test(request)).map((request) => request.split('?')[0]),
    ).toEqual([
      expect.stringMatching(/^POST \S*imports$/),
      expect.stringMatching(/^PUT \S*parts\/1$/),
      expect.stringMatching(/^PUT \S*parts\/2$/),
      expect.stringMatching(/^POST \S*commit$/),
    ]);
    expect(uploaded).toEqual(uploaded.toSorted((a, b) => a - b));
    await write.undo(imported.operation_id);
  });

  test('that is cancelled while sealing sends nothing', async () => {
    const stop = new AbortController();
    real.requests.length = 0;
    const importing = importWhole(write, keepass(ENTRY.repeat(3000)), {
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'sealing' && stop.abort(new DOMException('gone', 'AbortError')),
    });
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(real.requests.some((request) => request.startsWith('POST'))).toBe(false);
  });
});

describe('a lying server', () => {
  test('that changes the list: the sealed title is shown, and the difference is named (M5)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    const lied: Field = { ...field, type: 'password', title: 'Guest account', login: 'eve' };
    expect(await real.vault.read.reveal(at(lied))).toMatchObject({
      title: 'Root account',
      login: 'ledger_root',
      disagreements: ['title', 'login'],
    });
  });

  test('that lists an older revision number: the list is compared nevertheless (M5)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    const changed = await write.updateField(at(field), { ...EVERY_KIND[0]!, value: 'second' } as FieldChange);
    const lied: Field = { ...changed, type: 'password', rev: 1, title: 'Guest account', login: 'eve' };
    // An honest list that is merely older is not reported.
    expect(await real.vault.read.reveal(at(field))).toMatchObject({ text: 'second', disagreements: [] });
    real.forge = (url, answer) => (url.endsWith(field.field_id) ? lied : answer);
    expect(await real.vault.read.reveal(at(lied))).toMatchObject({ disagreements: ['title', 'login'] });
    real.forge = null;
  });

  test('that swaps two fields is refused (M1)', async () => {
    const one = await write.createField(path, EVERY_KIND[0]!);
    const other = await write.createField(path, { ...EVERY_KIND[0]!, title: 'other' } as NewField);
    const swapped = await ada.request({
      path: `/passwordBroker/api/entryGroups/${path.entryGroupId}/entries/${path.entryId}/fields/${other.field_id}/envelope`,
    });
    real.forge = (url, answer) => (url.endsWith('/envelope') ? swapped.json<unknown>() : answer);
    await expect(real.vault.read.reveal(at(one))).rejects.toMatchObject({ code: 'integrity', detail: 'commit' });
  });

  test('that serves a password as a note is refused (M2)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    const lied = { ...field, type: 'note' } as Field;
    await expect(real.vault.read.reveal(at(lied))).rejects.toMatchObject({ code: 'integrity' });
  });

  test.each([
    ['an unknown profile', { crypto_profile: 'l0' }],
    ['no value', { encrypted_value_base64: null }],
  ])('that changes the envelope is refused: %s (M7, M8)', async (_, change) => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    real.forge = (url, answer) => (url.endsWith('/envelope') ? { ...(answer as object), ...change } : answer);
    await expect(real.vault.read.reveal(at(field))).rejects.toMatchObject({ name: 'AnswerError' });
  });

  test('that answers and lists an older revision than this session has seen: it is shown with a warning (M23)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    let first: unknown = null;
    real.forge = (url, answer) => {
      if (url.endsWith('/envelope')) first = answer;
      return answer;
    };
    await real.vault.read.reveal(at(field));
    real.forge = null;
    const changed = await write.updateField(at(field), { ...EVERY_KIND[0]!, value: 'second' } as FieldChange);
    expect(await real.vault.read.reveal(at(changed))).toMatchObject({ text: 'second', disagreements: [] });
    real.forge = (url, answer) => (url.endsWith('/envelope') ? first : answer);
    const shown = await real.vault.read.reveal(at(field));
    expect(shown).toMatchObject({ text: 'q8-Rf3_tYx 🔑', disagreements: ['older'] });
    real.forge = null;
    expect(await real.vault.read.reveal(at(changed))).toMatchObject({ text: 'second', disagreements: [] });
  });

  test('that answers an older revision than it listed is refused (M4)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    await expect(real.vault.read.reveal(at({ ...field, rev: 2 }))).rejects.toMatchObject({ code: 'integrity' });
  });

  test('that forges the roster: no dependent request is sent, and nothing is written (M17, M19)', async () => {
    const field = await write.createField(path, EVERY_KIND[0]!);
    const again = vaultOf(ada);
    await again.keyring.unlock(ada.masterPassword);
    again.forge = (url, answer) => (url.includes('/roster') ? { ...(answer as object), grants: [] } : answer);
    again.requests.length = 0;
    await expect(again.vault.read.reveal(at(field))).rejects.toMatchObject({ code: 'key_mismatch' });
    await expect(again.vault.write?.createField(path, EVERY_KIND[0]!)).rejects.toMatchObject({ code: 'key_mismatch' });
    expect(
      again.requests.every((request) => /\/roster|\/entryGroupsAsTree|\/documents\/trust|\/setup$/.test(request)),
    ).toBe(true);
  });

  test('that sends escrow and policy flags with the key bundle: they are ignored (M21)', async () => {
    const again = vaultOf(ada);
    again.forge = (url, answer) =>
      url.endsWith('/keyBundle')
        ? { ...(answer as object), escrow: true, recovery_key: 'x', profile: 'legacy' }
        : answer;
    await again.keyring.unlock(ada.masterPassword);
    expect(again.keyring.isOpen()).toBe(true);
  });
});
