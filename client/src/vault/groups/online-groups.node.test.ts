/** Renaming, moving, deleting and restoring groups on the real server. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import type { VaultWrite } from '../vault.ts';

let app: TestApp;
let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
let root: string;
let child: string;

withPeople(['ada'], (started, people) => ([app, ada] = [started, ...people]));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  root = await created('Operations', null);
  child = await created('Databases', root);
});

async function created(name: string, parentId: string | null): Promise<string> {
  const { entryGroup } = await write.createGroup({ name, parentId, sameMembers: false });
  return entryGroup.entry_group_id;
}
const nameOf = async (groupId: string) => (await real.vault.read.group(groupId)).entryGroup.name;
const parentOf = async (groupId: string) => (await real.vault.read.group(groupId)).entryGroup.parent_entry_group_id;

describe('a group', () => {
  test('is renamed, and the rename can be undone', async () => {
    const { value, operationId } = await write.renameGroup(child, 'Ledgers');
    expect([value.entryGroup.name, await nameOf(child)]).toEqual(['Ledgers', 'Ledgers']);
    if (operationId === null) throw new Error('A rename can be taken back');
    const [newest] = (await real.vault.read.journal(1)).data;
    expect(newest).toMatchObject({ operation_id: operationId, kind: 'rename', from: 'Databases', to: 'Ledgers' });
    await write.undo(operationId);
    expect(await nameOf(child)).toBe('Databases');
    await expect(write.undo(operationId)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is moved to the root and back; a move to the same place does nothing and has no undo', async () => {
    const moved = await write.moveGroup(child, null);
    expect([moved.value.moved, await parentOf(child)]).toEqual([true, null]);
    expect(await write.moveGroup(child, null)).toMatchObject({ value: { moved: false }, operationId: null });
    expect(await write.moveGroup(root, root)).toMatchObject({ value: { moved: false }, operationId: null });
    await write.undo(moved.operationId ?? '');
    expect(await parentOf(child)).toBe(root);
  });

  test('is deleted with everything below it, listed in the trash, and restored with its values', async () => {
    const entry = await write.createEntry(child, 'Billing ledger');
    const path = { entryGroupId: child, entryId: entry.entry_id };
    const field = await write.createField(path, { type: 'link', title: 'Console', value: 'https://a.example' });
    const removed = await write.removeGroup(root);
    expect(removed).toMatchObject({ kind: 'delete', counts: { entry_groups: 2, entries: 1, fields: 1 } });
    await expect(real.vault.read.group(child)).rejects.toMatchObject({ code: 'not_found' });
    const { data } = await real.vault.read.trash({ page: 1, groupId: null });
    expect(data[0]).toMatchObject({ operation_id: removed.operation_id, kind: 'entry_group', title: 'Operations' });
    await write.restore(removed.operation_id);
    expect((await real.vault.read.reveal({ ...path, field })).text).toBe('https://a.example');
  });

  test('deleted below another group is in that group’s trash; purged, it cannot be restored', async () => {
    const removed = await write.removeGroup(child);
    const { data } = await real.vault.read.trash({ page: 1, groupId: root });
    expect(data.map(({ title, can_purge }) => [title, can_purge])).toEqual([['Databases', true]]);
    await write.purge({ operationId: removed.operation_id }, 1);
    expect((await real.vault.read.trash({ page: 1, groupId: root })).data).toEqual([]);
    await expect(write.undo(removed.operation_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('has its trash emptied only if the count matches; an old sign-in suffices with an open vault (T146)', async () => {
    const entry = await write.createEntry(root, 'Obsolete');
    const path = { entryGroupId: root, entryId: entry.entry_id };
    await write.createField(path, { type: 'file', title: 'Key', file: new File(['secret'], 'key.pem') });
    await write.removeEntries(root, [entry.entry_id]);
    app.clock.advance(11 * 60_000);
    const preview = await real.vault.read.purgePreview({ groupId: root });
    expect(preview).toEqual({ items: 1, counts: { entry_groups: 0, entries: 1, fields: 1, files: 1 } });
    await expect(write.purge({ groupId: root }, 2)).rejects.toMatchObject({ code: 'conflict' });
    await write.purge({ groupId: root }, 1);
    expect(await real.vault.read.purgePreview({ groupId: null })).toMatchObject({ items: 0 });
  });

  test('lists the history of its fields by pages, newest first', async () => {
    const entry = await write.createEntry(child, 'Billing ledger');
    const path = { entryGroupId: child, entryId: entry.entry_id };
    for (const title of ['A', 'B', 'C']) await write.createField(path, { type: 'note', title, value: 'x' });
    const first = await real.vault.read.groupHistory(child, undefined, { limit: 2 });
    expect(first.map(({ field }) => field.title)).toEqual(['C', 'B']);
    const before = first.at(-1)?.field_edit_log_id ?? '';
    const rest = await real.vault.read.groupHistory(child, undefined, { limit: 2, before });
    expect(rest.map(({ field }) => field.title)).toEqual(['A']);
  });
});
