/** IM12: undoing an import into existing groups seals the former values anew, on the real server. */
import { beforeEach, expect, test } from 'vitest';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import type { EntryPath, FieldPath, VaultWrite } from '../vault.ts';

let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
let path: EntryPath;
let field: Field;

withPeople(['ada'], (_app, people) => ([ada] = people));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  const { entryGroup } = await write.createGroup({ name: 'Production', parentId: null, sameMembers: false });
  const entry = await write.createEntry(entryGroup.entry_group_id, 'Billing ledger');
  path = { entryGroupId: entryGroup.entry_group_id, entryId: entry.entry_id };
  field = await write.createField(path, { type: 'password', title: 'Root', login: 'root', value: 'first' });
});

const at = (of: Field): FieldPath => ({ ...path, field: of });
const present = async () => {
  const [now] = await real.vault.read.fields(path);
  if (now === undefined) throw new Error('The entry has a field');
  const { text } = await real.vault.read.reveal(at(now));
  return { rev: now.rev, title: now.title, login: now.type === 'password' ? now.login : null, text };
};

/** Imports another password with another title as the next revision; returns the operation. */
async function importRevision(): Promise<string> {
  const { entryGroupId, entryId } = path;
  const place = { entryGroupId, entryId, fieldId: field.field_id, type: 'password', rev: 2 } as const;
  const content = { title: 'Imported', login: 'other', text: 'second' };
  const revision = await real.keyring.call('sealField', { place, content });
  const ids = { entry_group_id: entryGroupId, entry_id: entryId, field_id: field.field_id };
  const update = { ...ids, base_rev: 1, type: 'password', title: 'Imported', login: 'other', revision };
  const batch = {
    into: entryGroupId,
    targets: [{ entry_group_id: entryGroupId, gk_version: 1 }],
    groups: [],
    entries: [],
    fields: [],
    skipped: [],
    updates: [update],
  };
  const answer = await ada.request({ path: '/passwordBroker/api/import', json: { batch } });
  expect(answer.status, answer.text).toBe(201);
  expect(await present()).toEqual({ rev: 2, title: 'Imported', login: 'other', text: 'second' });
  return answer.json<{ operation_id: string }>().operation_id;
}

test('IM12: the former value comes back as one more revision, with title and login', async () => {
  const operationId = await importRevision();
  expect(await write.undo(operationId)).toMatchObject({ operation_id: operationId, stays: 0 });
  expect(await present()).toEqual({ rev: 3, title: 'Root', login: 'root', text: 'first' });
  await expect(write.undo(operationId)).rejects.toMatchObject({ code: 'not_found' });
});

test('IM12: a value that was changed since stays, and is counted', async () => {
  const operationId = await importRevision();
  const changed = { type: 'password', title: 'Root', login: 'root', value: 'third' } as const;
  await write.updateField(at({ ...field, rev: 2 }), changed);
  expect(await write.undo(operationId)).toMatchObject({ stays: 1 });
  expect(await present()).toMatchObject({ rev: 3, text: 'third' });
});

test('IM12: a locked keyring changes nothing', async () => {
  const operationId = await importRevision();
  real.keyring.lock();
  await expect(write.undo(operationId)).rejects.toMatchObject({ code: 'locked' });
});

test('IM12: a server that names another revision or field gets nothing sealed', async () => {
  const operationId = await importRevision();
  const other = await write.createField(path, { type: 'password', title: 'Other', login: '', value: 'other' });
  for (const [field_id, base_rev] of [
    [field.field_id, 9],
    [other.field_id, 1],
  ] as const) {
    real.requests.length = 0;
    const ids = { entry_group_id: path.entryGroupId, entry_id: path.entryId, field_id };
    const named = { ...ids, type: 'password', base_rev, is_changed: false };
    real.refuse = (request) =>
      request.endsWith('/undo') && real.requests.filter((one) => one.endsWith('/undo')).length === 1
        ? { code: 'conflict', status: 409, details: { fields: [named] } }
        : null;
    await expect(write.undo(operationId)).rejects.toMatchObject({ code: 'integrity' });
    real.refuse = null;
    expect(real.requests.filter((one) => one.endsWith('/undo'))).toHaveLength(1);
  }
  await write.undo(operationId);
});
