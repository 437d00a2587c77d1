/** What an export releases and records, and how it ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as site from '@passwordbroker/core/contract/site/site';
import type { ExportBy } from '@passwordbroker/core/domain/exchange/export-formats';
import { BY_ITSELF } from '../audit/audit-log.ts';
import { giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { sharing } from '../members/testing/sharing.ts';
import { sweep } from '../system/housekeeping.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { type SignedIn, startTestApp, type TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { putIntoTrash } from '../testing/trash.ts';
import { outlineExport, releaseValues } from './exports.ts';
import { exporting } from './testing/exporting.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let calls: ReturnType<typeof exporting>;
beforeAll(async () => {
  app = await startTestApp();
  calls = exporting(app);
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());
beforeEach(async () => {
  await calls.clear();
  [ada, bob] = [await app.signIn(ada), await app.signIn(bob)];
});

/** The settings need a fresh sign-in, as exports do. */
const set = async (body: { export_by?: ExportBy; export_plain?: boolean }) =>
  (await app.signIn(ada)).call(site.changeSettings, { body });

const events = async (exportId: string) =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'details'])
      .where('target_id', '=', exportId)
      .orderBy('audit_id')
      .execute()
  ).map(({ event_type, details }) => [event_type, JSON.parse(details ?? '{}') as object]);

describe('what is released and recorded (EX5)', () => {
  let place: SealedPlace;
  let f: string;
  beforeEach(async () => {
    place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
    const body = await sealedField(place);
    f = (await ada.call(fields.create, { params: place, body })).field_id;
  });

  test('the sealed value as a reveal has it; former values and files on request; nothing of the trash', async () => {
    const content = { type: 'password', title: 'Title', login: 'ada', value: new Uint8Array([1]) } as const;
    const next = await nextRevision(place, { fieldId: f, baseRev: 1 }, content);
    await ada.call(fields.update, { params: { ...place, f }, body: next });
    const file = await putField(app.deps, place.e, 'File', 'a'.repeat(64));
    const trashed = await putField(app.deps, place.e, 'Deleted');
    await putIntoTrash(app, 'field', trashed);
    const gone = await putEntry(app.deps, place.g, 'Deleted');
    await putField(app.deps, gone, 'In a deleted entry');
    await putIntoTrash(app, 'entry', gone);

    const present = await calls.start(ada, { entries: [place.e] });
    const types = { password: 1, link: 0, note: 0, file: 1, TOTP: 0 };
    const counts = { entry_groups: 1, entries: 1, fields: 2, types, revisions: 3, file_bytes: 1 };
    expect(present.counts).toEqual({ ...counts, values: 1 });
    const { releases, done } = await calls.release(ada, present.export_id);
    const envelope = await ada.call(fields.envelope, { params: { ...place, f } });
    const created_at = new Date(app.clock.now()).toISOString();
    expect([releases, done]).toEqual([[{ ...envelope, created_at, current: true }], true]);
    await calls.finish(ada, present.export_id);

    const all = await calls.start(ada, { groups: [place.g] }, { history: true, files: true });
    expect(all.counts).toEqual({ ...counts, values: 3 });
    const every = (await calls.release(ada, all.export_id)).releases;
    expect(every.map(({ field_id, rev, current }) => [field_id, rev, current])).toEqual([
      [f, 1, false],
      [f, 2, true],
      [file, 1, true],
    ]);
    expect(await calls.opened(trashed)).toEqual([]);
  });

  test('a page that is asked for again, also by two tabs at once, is answered again and recorded once', async () => {
    const second = await putField(app.deps, place.e, 'Second');
    const { export_id } = await calls.start(ada, { groups: [place.g] });
    const first = await calls.release(ada, export_id, 0, 1);
    expect([first.releases.length, first.done]).toEqual([1, false]);
    const again = await Promise.all([calls.release(ada, export_id, 0, 1), calls.release(ada, export_id, 0, 1)]);
    for (const answer of again) expect(answer).toEqual(first);
    const rest = await Promise.all([
      calls.release(ada, export_id, first.after),
      calls.release(ada, export_id, first.after),
    ]);
    expect(rest[0]).toEqual(rest[1]);
    expect((await calls.release(ada, export_id, rest[0].after)).done).toBe(true);
    for (const field of [f, second]) expect(await calls.opened(field)).toEqual(['ada 1 export kdbx api']);
    expect(await calls.finish(ada, export_id)).toMatchObject({ state: 'done', released: 2 });
    expect(await calls.finish(ada, export_id, 'cancelled')).toMatchObject({ state: 'done' });
    await expect(calls.release(ada, export_id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'This export has ended',
    });
    expect(await events(export_id)).toEqual([
      ['export_started', { format: 'kdbx', entry_groups: 1, entries: 1, values: 2 }],
      ['export_released', { format: 'kdbx', values: 1 }],
      ['export_released', { format: 'kdbx', values: 1 }],
      ['export_finished', { format: 'kdbx', state: 'done', values: 2 }],
    ]);
    const [row] = (await ada.call(fields.history, { params: { ...place, f } })).filter(
      ({ event_type }) => event_type === 'decrypted',
    );
    expect(row).toMatchObject({ purpose: 'export', label: 'kdbx', via: 'api' });
  });

  test('values that were moved, deleted or lost to the person since are listed as gone', async () => {
    const other = await makeGroup(ada, 'Other');
    const moved = await putEntry(app.deps, place.g, 'Moved');
    const movedField = await putField(app.deps, moved, 'Moved');
    const trashedField = await putField(app.deps, place.e, 'Trashed');
    const { export_id } = await calls.start(ada, { groups: [place.g] });
    await app.deps.db.transact((tx) =>
      tx.updateTable('entries').set({ entry_group_id: other }).where('entry_id', '=', moved).execute(),
    );
    await putIntoTrash(app, 'field', trashedField);
    const { releases, gone } = await calls.release(ada, export_id);
    expect(releases.map(({ field_id }) => field_id)).toEqual([f]);
    expect(gone.map(({ field_id }) => field_id).toSorted()).toEqual([movedField, trashedField].toSorted());
    expect((await calls.outline(ada, export_id)).entries.map(({ title }) => title)).toEqual(['Mail']);
  });

  test('a role that is lost in the middle ends the releases of its group; the switch of the site ends all', async () => {
    await giveRole(app.deps, place.g, bob.userId, 'admin');
    const { export_id } = await calls.start(bob, { groups: [place.g] });
    await giveRole(app.deps, place.g, bob.userId, 'member');
    expect(await calls.release(bob, export_id)).toMatchObject({ releases: [], gone: [{ field_id: f, rev: 1 }] });
    expect(await calls.outline(bob, export_id)).toMatchObject({ groups: [], entries: [] });
    await giveRole(app.deps, place.g, bob.userId, 'admin');
    await set({ export_by: 'nobody' });
    await expect(calls.release(bob, export_id)).rejects.toMatchObject({
      message: 'Exports are switched off on this site',
    });
    await set({ export_by: 'admins' });
    expect(await calls.opened(f)).toEqual([]);
    expect((await calls.release(bob, export_id)).releases).toHaveLength(1);
  });

  test('one open export a person; it expires an hour after its last call and is deleted a day later', async () => {
    const first = await calls.start(ada, { groups: [place.g] });
    await expect(calls.start(ada, { groups: [place.g] })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Another export of yours is under way',
      details: { export_id: first.export_id },
    });
    await expect(calls.release(bob, first.export_id)).rejects.toMatchObject({ code: 'not_found' });
    await calls.release(ada, first.export_id);
    app.clock.advance(HOUR);
    ada = await app.signIn(ada);
    await expect(calls.release(ada, first.export_id)).rejects.toMatchObject({ code: 'conflict' });
    const second = await calls.start(ada, { groups: [place.g] });
    app.clock.advance(HOUR);
    await sweep(app.deps);
    ada = await app.signIn(ada);
    expect(await calls.finish(ada, second.export_id)).toMatchObject({ state: 'expired', released: 0 });
    expect((await events(first.export_id)).at(-1)).toEqual(['export_expired', { format: 'kdbx', values: 1 }]);
    expect((await events(second.export_id)).at(-1)).toEqual(['export_expired', { format: 'kdbx', values: 0 }]);
    // Its values are read by nobody any more.
    const left = app.deps.db.read
      .selectFrom('export_values')
      .select('position')
      .where('export_id', 'in', [first.export_id, second.export_id]);
    expect(await left.execute()).toEqual([]);
    app.clock.advance(23 * HOUR);
    await sweep(app.deps);
    expect(await app.deps.db.read.selectFrom('exports').select('export_id').execute()).toEqual([]);
  });
});

test('the list of a person who leaves has what an export released, finished or cancelled, and nothing else (EX6)', async () => {
  const as = sharing(app);
  const place = await createSealedPlace(ada, { name: 'Leaving', entry: 'Mail' });
  await as.add(ada, place.g, bob, 'admin');
  const ids = await Promise.all(['One', 'Two', 'Three'].map((title) => putField(app.deps, place.e, title)));
  const known = async () =>
    (await ada.call(members.opened, { params: { g: place.g, u: bob.userId } })).map(({ field }) => field.field_id);
  const { export_id } = await calls.start(bob, { groups: [place.g] });
  expect(await known()).toEqual([]);
  const { releases } = await calls.release(bob, export_id, 0, 2);
  await calls.finish(bob, export_id, 'cancelled');
  const released = releases.map(({ field_id }) => field_id);
  expect(released).toHaveLength(2);
  expect((await known()).toSorted()).toEqual(released.toSorted());
  const whole = await calls.start(bob, { groups: [place.g] });
  await calls.release(bob, whole.export_id);
  await calls.finish(bob, whole.export_id);
  expect((await known()).toSorted()).toEqual(ids.toSorted());
});

test('an open export reads the settings of the site in its transaction', async () => {
  const g = await makeGroup(ada, 'Settings');
  await putField(app.deps, await putEntry(app.deps, g, 'Entry'), 'Field');
  const { export_id } = await calls.start(ada, { groups: [g] });
  const { db } = app.deps;
  const outside = () => {
    throw new Error('Read outside the transaction');
  };
  const deps = { ...app.deps, db: Object.create(db, { read: { get: outside } }) as typeof db };
  const asking = { deps, actor: ada, origin: BY_ITSELF };
  expect((await outlineExport(asking, export_id, 0)).groups).toHaveLength(1);
  expect((await releaseValues(asking, export_id, { after: 0, limit: 1 })).releases).toHaveLength(1);
});

test('a page ends before it has more than 8 MiB of values, and has one at least', async () => {
  const g = await makeGroup(ada, 'Large');
  const entry = await putEntry(app.deps, g, 'Large');
  const MIB = 1024 * 1024;
  const ids: string[] = [];
  for (const mib of [3, 5, 1, 9, 1]) {
    const field = await putField(app.deps, entry, 'Large');
    const value = Buffer.alloc(mib * MIB);
    await app.deps.db.transact((tx) =>
      tx.updateTable('field_revisions').set({ value }).where('field_id', '=', field).execute(),
    );
    ids.push(field);
  }
  const { export_id } = await calls.start(ada, { groups: [g] });
  const pages: (readonly [number, boolean])[] = [];
  for (let after = 0, done = false; !done;) {
    const page = await calls.release(ada, export_id, after);
    pages.push([page.releases.length, page.done]);
    ({ after, done } = page);
  }
  expect(pages).toEqual([
    [2, false],
    [1, false],
    [1, false],
    [1, true],
  ]);
  for (const field of ids) expect(await calls.opened(field)).toEqual(['ada 1 export kdbx api']);
});

test('an export of more than 200 values raises no alarm of many reveals', async () => {
  const g = await makeGroup(ada, 'Many');
  const entry = await putEntry(app.deps, g, 'Many');
  for (let at = 0; at < 201; at += 1) await putField(app.deps, entry, `Field ${at}`);
  const { export_id } = await calls.start(ada, { groups: [g] });
  expect((await calls.release(ada, export_id)).releases).toHaveLength(201);
  const alarms = app.deps.db.read.selectFrom('audit_log').select('audit_id').where('event_type', '=', 'mass_reveal');
  expect(await alarms.execute()).toEqual([]);
});
