/** Changing fields, restoring older revisions, and deleting fields on the real server. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import type { EntryPath, FieldChange, FieldPath, NewField, VaultWrite } from '../vault.ts';

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

const at = (field: Field): FieldPath => ({ ...path, field });
const PASSWORD = { type: 'password', title: 'Root account', login: 'ledger_root', value: 'first' } as const;
const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, index) => (index * seed) % 256);
const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>) => new File([bytes], name, { type: 'text/html' });

test('values too large for one answer are revealed together', async () => {
  const paths: FieldPath[] = [];
  for (const letter of 'abcdefghij') {
    paths.push(at(await write.createField(path, { type: 'note', title: letter, value: letter.repeat(1_000_000) })));
  }
  const texts = (await real.vault.read.revealSeveral(paths, { purpose: 'show' })).map(({ text }) => [
    text?.[0],
    text?.length,
  ]);
  expect(texts).toEqual([...'abcdefghij'].map((letter) => [letter, 1_000_000]));
});

describe('a change', () => {
  test.each<[NewField, FieldChange & { readonly value: string }, object]>([
    [
      PASSWORD,
      { type: 'password', title: 'Root', login: 'root', value: 'second 🔑' },
      { title: 'Root', login: 'root', text: 'second 🔑' },
    ],
    [
      { type: 'link', title: 'Console', value: 'https://a.example' },
      { type: 'link', title: 'Web', value: 'https://b.example' },
      { title: 'Web', text: 'https://b.example' },
    ],
    [
      { type: 'note', title: 'Runbook', value: 'a' },
      { type: 'note', title: '', value: 'b\nc' },
      { title: '', text: 'b\nc' },
    ],
    [
      { type: 'TOTP', title: 'Sign-in', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha1', period: 30 },
      { type: 'TOTP', title: 'Sign-in', value: 'GEZDGNBVGY3TQOJQ', algorithm: 'sha512', period: 60 },
      { text: 'GEZDGNBVGY3TQOJQ', totp: { algorithm: 'sha512', period: 60 } },
    ],
  ])('makes the next revision: $type', async (before, change, after) => {
    const field = await write.createField(path, before);
    const changed = await write.updateField(at(field), change);
    expect(changed).toMatchObject({ field_id: field.field_id, rev: 2, title: change.title });
    expect(await real.vault.read.reveal(at(changed))).toMatchObject({ ...after, disagreements: [] });
    expect((await real.vault.read.fields(path))[0]).toEqual(changed);
  });

  test('of an outdated revision is refused, and nothing is lost', async () => {
    const field = await write.createField(path, PASSWORD);
    const changed = await write.updateField(at(field), { ...PASSWORD, value: 'mine' });
    await expect(write.updateField(at(field), { ...PASSWORD, value: 'yours' })).rejects.toMatchObject({
      code: 'revision_conflict',
      details: { current_rev: 2 },
    });
    expect((await real.vault.read.reveal(at(changed))).text).toBe('mine');
  });

  test('under a key that the server calls stale is sealed again', async () => {
    const field = await write.createField(path, PASSWORD);
    let refusals = 0;
    real.refuse = (request) => {
      if (!request.startsWith('PUT') || refusals > 0) return null;
      refusals += 1;
      return { code: 'key_version_conflict', status: 409 };
    };
    real.requests.length = 0;
    expect(await write.updateField(at(field), { ...PASSWORD, value: 'again' })).toMatchObject({ rev: 2 });
    const kinds = real.requests.map((request) => request.replace(/ .*\//, ' ')).filter((kind) => kind !== 'PUT trust');
    expect(kinds).toEqual([`PUT ${field.field_id}`, 'GET roster?from=0', `PUT ${field.field_id}`]);
  });
});

describe('a file', () => {
  test('that is renamed keeps its content, and its body is not sent again', async () => {
    const bytes = bytesOf(100_000, 7);
    const field = await write.createField(path, { type: 'file', title: 'Key', file: fileOf('a.p12', bytes) });
    real.requests.length = 0;
    const renamed = await write.updateField(at(field), { type: 'file', title: 'Old key', file: null });
    expect(renamed).toMatchObject({ title: 'Old key', rev: 2, file_name: 'a.p12', file_size: 100_000 });
    expect(real.requests.some((request) => request.includes('/file'))).toBe(false);
    const opened = await real.vault.read.openFile(at(renamed));
    expect(new Uint8Array(await opened.blob.arrayBuffer())).toEqual(bytes);
    expect(opened.revealed).toMatchObject({ title: 'Old key', disagreements: [] });
  });

  test('that was replaced or renamed opens from each history row, and each opening is logged', async () => {
    const [first, second] = [bytesOf(70_000, 3), bytesOf(10, 5)];
    const field = await write.createField(path, { type: 'file', title: 'Key', file: fileOf('a.p12', first) });
    await write.updateField(at(field), { type: 'file', title: 'Renamed', file: null });
    const now = await write.updateField(
      { ...path, field: { ...field, rev: 2 } },
      { type: 'file', title: 'Key', file: fileOf('b.p12', second) },
    );
    const witnessed = async () =>
      (await real.vault.read.history(at(now))).filter(({ event_type }) => event_type === 'decrypted');
    const before = (await witnessed()).length;
    const rows = (await real.vault.read.history(at(now))).filter(({ has_value }) => has_value);
    const found: unknown[] = [];
    for (const row of rows) {
      const { blob, revealed } = await real.vault.read.openRevisionFile(at(now), row);
      const bytes = new Uint8Array(await blob.arrayBuffer());
      found.push([revealed.title, revealed.file?.name, bytes.length, bytes[1], revealed.disagreements]);
    }
    expect(found).toEqual([
      ['Key', 'b.p12', 10, 5, []],
      ['Renamed', 'a.p12', 70_000, 3, []],
      ['Key', 'a.p12', 70_000, 3, []],
    ]);
    const seen = (await witnessed()).slice(0, 3).map(({ rev, user }) => [rev, user?.name]);
    expect([(await witnessed()).length - before, seen]).toEqual([
      3,
      [
        [1, 'ada'],
        [2, 'ada'],
        [3, 'ada'],
      ],
    ]);
  });

  test('that was replaced can be restored to the older revision', async () => {
    const [first, second] = [bytesOf(70_000, 3), bytesOf(10, 5)];
    const field = await write.createField(path, { type: 'file', title: 'Key', file: fileOf('a.p12', first) });
    const replaced = await write.updateField(at(field), { type: 'file', title: 'Key', file: fileOf('b.p12', second) });
    expect(replaced).toMatchObject({ rev: 2, file_name: 'b.p12', file_size: 10 });
    const created = (await real.vault.read.history(at(replaced))).at(-1);
    if (created === undefined) throw new Error('The history begins with the creation');
    const progress: number[] = [];
    const onProgress = (done: number) => progress.push(done);
    const restored = await write.restoreRevision(at(replaced), created, { onProgress });
    expect(restored).toMatchObject({ rev: 3, file_name: 'a.p12', file_size: 70_000 });
    expect(progress.at(-1)).toBe(1);
    const opened = await real.vault.read.openFile(at(restored));
    expect(new Uint8Array(await opened.blob.arrayBuffer())).toEqual(first);
    expect(opened.revealed.disagreements).toEqual([]);
  });
});

describe('an older revision', () => {
  test('becomes the newest again with everything sealed in it, and its reveal is logged', async () => {
    const field = await write.createField(path, PASSWORD);
    const changed = await write.updateField(at(field), {
      ...PASSWORD,
      title: 'Guest',
      login: 'guest',
      value: 'second',
    });
    const history = await real.vault.read.history(at(changed));
    const created = history.find(({ event_type }) => event_type === 'created');
    if (created === undefined) throw new Error('The history begins with the creation');
    const restored = await write.restoreRevision(at(changed), created);
    expect(restored).toMatchObject({ rev: 3, title: 'Root account', login: 'ledger_root' });
    expect(await real.vault.read.reveal(at(restored))).toMatchObject({ text: 'first', disagreements: [] });
    const events = (await real.vault.read.history(at(restored))).map(({ event_type, rev }) => [event_type, rev]);
    expect(events).toEqual([
      ['decrypted', 3],
      ['updated', 3],
      ['decrypted', 1],
      ['updated', 2],
      ['created', 1],
    ]);
  });

  test('served as another one is refused (M4)', async () => {
    const field = await write.createField(path, PASSWORD);
    const changed = await write.updateField(at(field), { ...PASSWORD, value: 'second' });
    const [updated, created] = await real.vault.read.history(at(changed));
    const lied = { ...created!, rev: updated!.rev };
    await expect(write.restoreRevision(at(changed), lied)).rejects.toMatchObject({ code: 'integrity' });
  });
});

describe('a deleted field', () => {
  test('needs a proof of the open keyring, is in the trash, and can be restored', async () => {
    const field = await write.createField(path, PASSWORD);
    const removed = await write.removeField(at(field));
    expect(removed).toMatchObject({ kind: 'delete', counts: { fields: 1 } });
    expect(await real.vault.read.fields(path)).toEqual([]);
    await write.undo(removed.operation_id);
    expect((await real.vault.read.reveal(at(field))).text).toBe('first');
  });

  test('is not sent while locked', async () => {
    const field = await write.createField(path, PASSWORD);
    real.keyring.lock();
    real.requests.length = 0;
    await expect(write.removeField(at(field))).rejects.toMatchObject({ code: 'locked' });
    expect(real.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
  });
});
