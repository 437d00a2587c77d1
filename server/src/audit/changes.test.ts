/** Every change of an entry or a field is in the audit log, with ids only (T157). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { nextRevision } from '../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
let other: SealedPlace;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada, { name: 'canary group', entry: 'canary title' });
  other = await createSealedPlace(ada, { name: 'canary target', entry: 'canary other' });
});
afterEach(() => app.stop());

const rowsOf = async (target_id: string) => {
  const { data } = await ada.call(audit.list, { query: { target_id, perPage: 100 } });
  return data.toReversed().map(({ event_type, login, target_type, address, details }) => {
    expect([login, address]).toEqual([ada.email, '127.0.0.1']);
    return [event_type, target_type, details];
  });
};
const noTexts = async () => {
  const rows = await app.deps.db.read.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('canary');
};

test('a field: created, changed, deleted, with its entry, its group and its revision (T157)', async () => {
  const { g, e } = place;
  const content = { type: 'password' as const, title: 'canary title', login: 'canary', value: utf8('canary value') };
  const { field_id: f } = await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  const params = { g, e, f };
  const body = await nextRevision(place, { fieldId: f, baseRev: 1 }, content);
  await ada.call(fields.update, { params, body });
  const { operation_id } = await callWithProof(app, ada, fields.remove, { params });
  const where = { entry_id: e, entry_group_id: g };
  expect(await rowsOf(f)).toEqual([
    ['field_created', 'field', where],
    ['field_updated', 'field', { ...where, rev: 2 }],
    ['field_deleted', 'field', { ...where, operation_id }],
  ]);
  // A restore names the deletion.
  await ada.call(operations.undo, { params: { operationId: operation_id }, body: {} });
  expect((await rowsOf(f)).at(-1)).toMatchObject(['restored', 'field', { restore_of: operation_id }]);
  await noTexts();
});

test('an entry: created, renamed, renamed back, moved, deleted (T157)', async () => {
  const { g, e } = place;
  await ada.call(entries.rename, { params: place, body: { title: 'canary renamed' } });
  const { data } = await ada.call(operations.journal, { query: {} });
  const renaming = data[0]?.operation_id ?? '';
  await ada.call(operations.undo, { params: { operationId: renaming }, body: {} });
  const moved = { entries: [e], entryGroupTarget: other.g, target_gk_version: 1, rewraps: [] };
  await callWithProof(app, ada, entries.moveMany, { params: { g }, body: moved });
  const { operation_id } = await callWithProof(app, ada, entries.remove, { params: { g: other.g, e } });
  expect(await rowsOf(e)).toEqual([
    ['entry_created', 'entry', { entry_group_id: g }],
    ['entry_renamed', 'entry', { entry_group_id: g }],
    ['entry_renamed', 'entry', { entry_group_id: g, undo_of: renaming }],
    ['entry_moved', 'entry', { from: g, to: other.g }],
    ['entry_deleted', 'entry', { entry_group_id: other.g, operation_id }],
  ]);
  await noTexts();
});

test('a request that changes nothing or is refused writes no row', async () => {
  const before = await rowsOf(place.e);
  await ada.call(entries.rename, { params: place, body: { title: 'canary title' } });
  await expect(ada.call(entries.rename, { params: place, body: { title: '' } })).rejects.toThrow();
  const body = await sealedField(place);
  await ada.call(fields.create, { params: place, body });
  // A repeated request gets the stored answer.
  await ada.call(fields.create, { params: place, body });
  expect(await rowsOf(place.e)).toEqual(before);
  expect(await rowsOf(body.field_id)).toHaveLength(1);
});

test('a bulk call writes one row for each entry and one for the call', async () => {
  const many = Array.from({ length: 100 }, () => createEntryIn(ada, place.g));
  const ids = await Promise.all(many);
  const { operation_id } = await callWithProof(app, ada, entries.removeMany, {
    params: place,
    body: { entries: ids },
  });
  const { total } = await ada.call(audit.list, { query: { event_type: 'entry_deleted', perPage: 1 } });
  expect(total).toBe(ids.length);
  expect((await rowsOf(place.g)).at(-1)).toEqual([
    'entries_deleted',
    'entry_group',
    { operation_id, entry_groups: 0, entries: ids.length, fields: 0 },
  ]);
});
