/**
 * The next revision of a field: no change is lost, and the former value stays in the history
 * (docs/spec/api.md §3.9).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { moveMany, search } from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { purge, undo } from '@passwordbroker/core/contract/entries/operations';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, openFile, sealFile } from '@passwordbroker/core/domain/fields/field';
import { joinGroup } from '../testing/join-group.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { type SealedPlace, createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { touchOf } from '../testing/test-bodies.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { expectRefusal, invalid } from './testing/refusal.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let f: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada);
  f = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
});

const content = (value: string, title = 'Title', login = 'ada') => ({
  type: 'password' as const,
  title,
  login,
  value: utf8(value),
});
const params = () => ({ ...place, f });
const path = () => `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields/${f}`;
const put = (json: object, client = ada) => client.request({ method: 'PUT', path: path(), json });
const update = async (value: string, baseRev = 1) =>
  nextRevision(place, { fieldId: f, baseRev }, content(value, 'New title', 'root'));

async function valueOf(logId?: string): Promise<string> {
  const envelope =
    logId === undefined
      ? await ada.call(fields.envelope, { params: params() })
      : await ada.call(fields.historyEnvelope, { params: { ...params(), logId } });
  const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
  const opened = await openField(place.groupKey, at, envelope);
  return opened.type === 'file' ? '' : Buffer.from(opened.value).toString();
}

describe('sealed', () => {
  test('the next revision is the present one, the former stays in the history, and search finds the new texts', async () => {
    const before = await ada.call(fields.get, { params: params() });
    app.clock.advance(1000);
    const after = await ada.call(fields.update, { params: params(), body: await update('second') });
    expect(after).toMatchObject({ field_id: f, rev: 2, title: 'New title', login: 'root', type: 'password' });
    expect(after.created_at).toBe(before.created_at);
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await valueOf()).toBe('second');
    const history = await ada.call(fields.history, { params: params() });
    const written = history.filter(({ has_value }) => has_value);
    expect(written.map(({ event_type, rev, title }) => [event_type, rev, title])).toEqual([
      ['updated', 2, 'New title'],
      ['created', 1, 'Title'],
    ]);
    expect(await valueOf(written[1]?.field_edit_log_id)).toBe('s3cr3t');
    const found = async (q: string) => (await ada.call(search, { query: { q } })).data.map((row) => row.entry_id);
    expect(await found('"new title" login:root')).toContain(place.e);
  });

  test('plain columns that are absent keep their values', async () => {
    const sent = Object.entries(await update('second')).filter(([name]) => name !== 'title' && name !== 'login');
    const body = Object.fromEntries(sent);
    expect(await ada.call(fields.update, { params: params(), body })).toMatchObject({
      title: 'Title',
      login: 'ada',
      rev: 2,
    });
  });

  test('of concurrent updates one succeeds, and the others get the present revision (T98)', async () => {
    const bodies = await Promise.all(['a', 'b', 'c', 'd'].map((value) => update(value)));
    const answers = await Promise.all(bodies.map((body) => put(body)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.json()).toMatchObject({ code: 'revision_conflict', details: { current_rev: 2 } });
    }
    expect((await ada.call(fields.history, { params: params() })).length).toBe(2);
  });

  test.each<[string, (body: Awaited<ReturnType<typeof update>>) => object, object]>([
    ['another type', (body) => ({ ...body, type: 'note' }), invalid({ type: 'The type is not expected.' })],
    [
      'no base revision',
      (body) => ({ ...body, base_rev: undefined }),
      invalid({ base_rev: 'The base rev is required.' }),
    ],
    ['a skipped revision', (body) => ({ ...body, base_rev: 5 }), invalid({ rev: 'The rev must be between 6 and 6.' })],
    [
      'a former base revision',
      (body) => ({ ...body, base_rev: 4, rev: 5 }),
      { status: 409, details: { current_rev: 1 } },
    ],
    ['another key', (body) => ({ ...body, gk_version: 2 }), { status: 409, code: 'key_version_conflict' }],
    ['a damaged wrap', (body) => ({ ...body, cek_wrapped: 'AAAA' }), { status: 422, code: 'bad_sealed_value' }],
    ['keep_file', (body) => ({ ...body, keep_file: true }), invalid({ keep_file: 'The keep file is not expected.' })],
    ['a master password', (body) => ({ ...body, master_password: 'x' }), { status: 422 }],
  ])('refused with %s', async (_, change, expected) => {
    const body = change(await update('second'));
    await expectRefusal(app, () => put(body), expected);
  });

  test('only moderators and admins may update', async () => {
    const body = await update('second');
    await joinGroup(app, place.g, bob, 'member');
    await expectRefusal(app, () => put(body, bob), { status: 403, code: 'forbidden' });
    await app.deps.db.transact((tx) =>
      tx.updateTable('group_members').set({ role: 'moderator' }).where('user_id', '=', bob.userId).execute(),
    );
    expect((await put(body, bob)).status).toBe(200);
  });
});

describe('a file (T116)', () => {
  const bytes = utf8('the text of the file');
  beforeEach(async () => {
    const { members, body } = await sealedFileField(place, bytes);
    const multipart = new FormData();
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    f = (await ada.call(fields.create, { params: place, multipart })).field_id;
  });

  async function secret() {
    const envelope = await ada.call(fields.envelope, { params: params() });
    const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: 'file' as const, rev: envelope.rev };
    const opened = await openField(place.groupKey, at, envelope);
    if (opened.type !== 'file') throw new Error('no file');
    return opened.file;
  }
  const renamed = async (name: string) =>
    nextRevision(
      place,
      { fieldId: f, baseRev: 1 },
      { type: 'file', title: 'Kept', file: { ...(await secret()), name } },
    );

  test('keeps its body with a new name', async () => {
    const body = { ...(await renamed('b.txt')), keep_file: true };
    expect(await ada.call(fields.update, { params: params(), body })).toMatchObject({ rev: 2, file_name: 'b.txt' });
    const stored = await ada.request({ path: `${path()}/file` });
    expect(await openFile(f, await secret(), [new Uint8Array(stored.bytes)])).toEqual(bytes);
  });

  test('shares one body between both revisions, also after a move, until it is purged', async () => {
    const bodiesOf = async () =>
      app.deps.db.read.selectFrom('field_revisions').select('body_sha256').where('field_id', '=', f).execute();
    const [first] = await bodiesOf();
    const name = first?.body_sha256 ?? '';
    const touched = await touchOf(app, name);
    await ada.call(fields.update, { params: params(), body: { ...(await renamed('b.txt')), keep_file: true } });
    expect(await bodiesOf()).toEqual([first, first]);
    expect(await touchOf(app, name)).toBe(touched);
    const target = await createSealedPlace(ada);
    const move = { entries: [place.e], entryGroupTarget: target.g, master_password: ada.masterPassword };
    await ada.call(moveMany, { params: place, body: move });
    const moved = { g: target.g, e: place.e, f };
    for (const { field_edit_log_id: logId, has_value, rev } of await ada.call(fields.history, { params: moved })) {
      if (!has_value) continue;
      const envelope = await ada.call(fields.historyEnvelope, { params: { ...moved, logId } });
      const at = { entryGroupId: target.g, entryId: place.e, fieldId: f, type: 'file' as const, rev: rev ?? 0 };
      const opened = await openField(target.groupKey, at, envelope);
      if (opened.type !== 'file') throw new Error('no file');
      const stored = await ada.request({ path: `${fillPath(fields.get.path, moved)}/history/${logId}/file` });
      expect(await openFile(f, opened.file, [new Uint8Array(stored.bytes)])).toEqual(bytes);
    }
    const { operation_id: operationId } = await callWithProof(app, ada, fields.remove, { params: moved });
    expect(await app.deps.bodies.has(name)).toBe(true);
    await ada.call(purge, { params: { operationId } });
    expect([await app.deps.bodies.has(name), await bodiesOf()]).toEqual([false, []]);
  });

  test('with both a body and keep_file is refused', async () => {
    const { members: _, body } = await sealedFileField(place, bytes);
    const multipart = new FormData();
    const members = { ...(await renamed('b.txt')), keep_file: true };
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    const send = () => ada.request({ method: 'PUT', path: path(), multipart });
    await expectRefusal(app, send, invalid({ keep_file: 'The keep file is not expected.' }));
  });

  test('gets another body, and the former one stays in the history', async () => {
    const sealed = await sealFile(f, { name: 'c.txt', mime: 'text/plain', bytes: utf8('other') });
    const members = await nextRevision(
      place,
      { fieldId: f, baseRev: 1 },
      { type: 'file', title: '', file: sealed.secret },
    );
    const multipart = new FormData();
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([sealed.body]), 'sealed');
    expect(await ada.call(fields.update, { params: params(), multipart })).toMatchObject({ rev: 2, file_size: 5 });
    const present = await ada.request({ path: `${path()}/file` });
    expect(await openFile(f, sealed.secret, [new Uint8Array(present.bytes)])).toEqual(utf8('other'));
    expect((await ada.request({ path: `${path()}/file?rev=1` })).bytes.length).not.toBe(present.bytes.length);
  });

  test('with neither body nor keep_file is refused', async () => {
    const body = await renamed('b.txt');
    await expectRefusal(app, () => put(body), invalid({ file: 'Field File is missing' }));
  });

  test('kept with another size is refused', async () => {
    const body = { ...(await renamed('b.txt')), keep_file: true, file_size: 1 };
    await expectRefusal(app, () => put(body), { status: 422, code: 'bad_sealed_value' });
  });
});

describe('removed with a proof', () => {
  test('it is missing from lists and search, its history records it, and undo restores it', async () => {
    const done = await callWithProof(app, ada, fields.remove, { params: params() });
    expect(done).toMatchObject({ kind: 'delete', counts: { entry_groups: 0, entries: 0, fields: 1 } });
    expect(await ada.call(fields.listAll, { params: place })).toEqual([]);
    expect((await ada.call(search, { query: { q: 'login:ada' } })).data.map((row) => row.entry_id)).not.toContain(
      place.e,
    );
    await ada.call(undo, { params: { operationId: done.operation_id }, body: {} });
    const history = await ada.call(fields.history, { params: params() });
    expect(history.map(({ event_type }) => event_type)).toEqual(['restored', 'trashed', 'created']);
  });

  test('by two people at the same time: one succeeds', async () => {
    const remove = () => callWithProof(app, ada, fields.remove, { params: params() });
    const answers = await Promise.allSettled([remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a member may not remove it', async () => {
    await joinGroup(app, place.g, bob, 'member');
    await expect(callWithProof(app, bob, fields.remove, { params: params() })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await ada.call(fields.listAll, { params: place })).toHaveLength(1);
  });
});
