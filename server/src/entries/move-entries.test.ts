/**
 * Moving entries: keys are rewrapped, values and history stay, all or none (docs/spec/decisions.md
 * G12, docs/spec/api.md §3.8).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { prove } from '@passwordbroker/core/domain/keyring/proof';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, rewrapField } from '@passwordbroker/core/domain/fields/field';
import { me } from '@passwordbroker/core/contract/account/session';
import { sha256 } from '../platform/ids-and-digests.ts';
import { expectRefusal } from '../fields/testing/refusal.ts';
import { joinGroup } from '../testing/join-group.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let from: SealedPlace;
let to: SealedPlace;
/** A field with two revisions, and a field in the trash. */
let f: string;
let gone: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  [from, to] = [await createSealedPlace(ada, { name: 'From' }), await createSealedPlace(ada, { name: 'To' })];
  f = (await ada.call(fields.create, { params: from, body: await sealedField(from) })).field_id;
  const content = { type: 'password' as const, title: 'T', login: 'l', value: utf8('second') };
  await ada.call(fields.update, {
    params: { ...from, f },
    body: await nextRevision(from, { fieldId: f, baseRev: 1 }, content),
  });
  gone = (await ada.call(fields.create, { params: from, body: await sealedField(from) })).field_id;
  await callWithProof(app, ada, fields.remove, { params: { ...from, f: gone } });
});

/** The body of a move as our own client makes it. */
async function rewrapped(way = { from, to }, ids: readonly string[] = [from.e]) {
  const { rows } = await callWithProof(app, ada, entries.wraps, { params: way.from, body: { entries: ids } });
  const rewraps = await Promise.all(
    rows.map(async ({ entry_id, field_id, rev, type, cek_wrapped_base64 }) => {
      const place = { entryGroupId: way.from.g, entryId: entry_id, fieldId: field_id, type, rev };
      const cek_wrapped = await rewrapField(way.from.groupKey, way.to.groupKey, place, cek_wrapped_base64);
      return { field_id, rev, cek_wrapped };
    }),
  );
  return { target_gk_version: 1, rewraps };
}
const bodyOf = async (ids: readonly string[] = [from.e]) => ({
  entries: ids,
  entryGroupTarget: to.g,
  ...(await rewrapped({ from, to }, ids)),
});
const move = (body: object, person = ada) => callWithProof(app, person, entries.moveMany, { params: from, body });

async function valueIn(place: SealedPlace, logId?: string): Promise<string> {
  const params = { g: place.g, e: from.e, f };
  const envelope =
    logId === undefined
      ? await ada.call(fields.envelope, { params })
      : await ada.call(fields.historyEnvelope, { params: { ...params, logId } });
  const at = { entryGroupId: place.g, entryId: from.e, fieldId: f, type: envelope.type, rev: envelope.rev };
  const opened = await openField(place.groupKey, at, envelope);
  return opened.type === 'file' ? '' : Buffer.from(opened.value).toString();
}
const refusal = async (call: Promise<unknown>, expected: object) =>
  expect(
    await call.then(
      () => null,
      (error: unknown) => error,
    ),
  ).toMatchObject(expected);
const placesOf = async () =>
  app.deps.db.read.selectFrom('entries').select(['entry_id', 'entry_group_id']).orderBy('entry_id').execute();

describe('sealed', () => {
  test('every revision opens in the other group, the trashed field is moved, times and history stay (T114)', async () => {
    const before = await ada.call(entries.get, { params: from });
    expect(await move(await bodyOf())).toEqual({ entry_group_id: to.g, moved: 1 });
    expect(await ada.call(entries.get, { params: { g: to.g, e: from.e } })).toEqual({
      ...before,
      entry_group_id: to.g,
    });
    expect(await valueIn(to)).toBe('second');
    expect(await ada.call(entries.listAll, { params: from })).toEqual([]);
    const history = await ada.call(fields.history, { params: { g: to.g, e: from.e, f } });
    expect(history.filter(({ event_type }) => event_type !== 'decrypted').map(({ event_type }) => event_type)).toEqual([
      'moved',
      'updated',
      'created',
    ]);
    const first = history.find(({ event_type }) => event_type === 'created');
    expect(await valueIn(to, first?.field_edit_log_id)).toBe('s3cr3t');
    expect(
      (await ada.call(entries.search, { query: { q: 'group:to' } })).data.map(({ entry_id }) => entry_id),
    ).toContain(from.e);
    const { data } = await ada.call(operations.trash, {});
    const act = data.find(({ items }) => items.some(({ id }) => id === gone));
    await ada.call(operations.restore, { params: { operationId: act?.operation_id ?? '' }, body: {} });
    expect((await ada.call(fields.listAll, { params: { g: to.g, e: from.e } })).length).toBe(2);
  });

  test('a move to the same group does nothing', async () => {
    expect(await move({ entries: [from.e], entryGroupTarget: from.g, target_gk_version: 1, rewraps: [] })).toEqual({
      entry_group_id: from.g,
      moved: 0,
    });
  });

  test.each<[string, (body: Awaited<ReturnType<typeof bodyOf>>) => object, object]>([
    ['a wrap is missing', (body) => ({ ...body, rewraps: body.rewraps.slice(1) }), { code: 'rewrap_set_mismatch' }],
    [
      'a wrap is duplicated',
      (body) => ({ ...body, rewraps: [...body.rewraps, ...body.rewraps.slice(0, 1)] }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a wrap is of another revision',
      (body) => ({ ...body, rewraps: body.rewraps.map((row) => ({ ...row, rev: row.rev + 7 })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a wrap is malformed',
      (body) => ({ ...body, rewraps: body.rewraps.map((row) => ({ ...row, cek_wrapped: 'AAAA' })) }),
      { code: 'bad_sealed_value' },
    ],
    ['the key version is wrong', (body) => ({ ...body, target_gk_version: 2 }), { code: 'key_version_conflict' }],
    [
      'an entry is in another group',
      (body) => ({ ...body, entries: [...body.entries, to.e] }),
      { errors: { 'entries.1': ['The entry does not belong to this entry group.'] } },
    ],
    [
      'there are no entries',
      (body) => ({ ...body, entries: [] }),
      { errors: { entries: ['The entries is required.'] } },
    ],
    [
      'there are too many entries',
      (body) => ({ ...body, entries: Array.from({ length: 1001 }, () => from.e) }),
      { code: 'validation' },
    ],
    [
      'there is no target',
      (body) => ({ ...body, entryGroupTarget: undefined }),
      { errors: { entryGroupTarget: ['The entryGroupTarget is required.'] } },
    ],
    [
      'the target is unknown',
      (body) => ({ ...body, entryGroupTarget: UNKNOWN }),
      { errors: { entryGroupTarget: ['The entryGroupTarget does not exist.'] } },
    ],
  ])('refused when %s, and nothing moves', async (_, change, expected) => {
    const before = await placesOf();
    await refusal(move(change(await bodyOf())), expected);
    expect(await placesOf()).toEqual(before);
  });

  test('needs the right in the target', async () => {
    const body = await bodyOf();
    await joinGroup(app, from.g, bob, 'moderator');
    await joinGroup(app, to.g, bob, 'member');
    await refusal(move(body, bob), { code: 'forbidden', message: "You don't have permission to move to that group" });
  });

  test('of a concurrent move and deletion one succeeds', async () => {
    const body = await bodyOf();
    const answers = await Promise.allSettled([
      move(body),
      ada.call(entries.removeMany, { params: from, body: { entries: [from.e] } }),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  test('can be undone once, with the keys rewrapped', async () => {
    const before = await app.deps.db.read.selectFrom('entries').selectAll().where('entry_id', '=', from.e).execute();
    await move(await bodyOf());
    const [act] = (await ada.call(operations.journal, {})).data;
    expect(act).toMatchObject({ kind: 'move', target_ids: [from.e], from: from.g, to: to.g });
    const params = { operationId: act?.operation_id ?? '' };
    await refusal(ada.call(operations.undo, { params, body: {} }), {
      errors: { master_password: ['MasterPassword is missing'] },
    });
    const keys = await rewrapped({ from: to, to: from });
    const body = { ...keys, from_entry_group_id: from.g, to_entry_group_id: to.g };
    // The body has to name the groups of the move, for which the keys are wrapped (F4).
    const { from_entry_group_id: _from, ...withoutFrom } = body;
    const { to_entry_group_id: _to, ...withoutTo } = body;
    for (const sent of [keys, withoutFrom, withoutTo]) {
      await refusal(callWithProof(app, ada, operations.undo, { params, body: sent }), {
        status: 422,
        errors: { from_entry_group_id: [expect.stringMatching(/Reload the page, or update the program\.$/)] },
      });
    }
    const elsewhere = {
      status: 409,
      code: 'conflict',
      message: 'The entries would go to a different group. Reload the page and try again.',
    };
    for (const other of [
      { from_entry_group_id: to.g },
      { to_entry_group_id: from.g },
      { from_entry_group_id: to.g, to_entry_group_id: from.g },
      { from_entry_group_id: UNKNOWN },
    ]) {
      await refusal(callWithProof(app, ada, operations.undo, { params, body: { ...body, ...other } }), elsewhere);
      const plain = { master_password: ada.masterPassword, ...other };
      await refusal(ada.call(operations.undo, { params, body: plain }), elsewhere);
    }
    await refusal(callWithProof(app, ada, operations.undo, { params, body: { ...body, from_entry_group_id: 'x' } }), {
      errors: { from_entry_group_id: ['The from entry group id is not a valid id.'] },
    });
    expect(await callWithProof(app, ada, operations.undo, { params, body })).toMatchObject({ kind: 'move' });
    expect(await valueIn(from)).toBe('second');
    expect(await app.deps.db.read.selectFrom('entries').selectAll().where('entry_id', '=', from.e).execute()).toEqual(
      before,
    );
    await refusal(callWithProof(app, ada, operations.undo, { params, body }), { code: 'not_found' });
  });
});

describe('with a master password', () => {
  const plain = (more: object) =>
    ada.call(entries.moveMany, {
      params: from,
      body: { entries: [from.e], entryGroupTarget: to.g, master_password: ada.masterPassword, ...more },
    });

  test('moves the same as the sealed form, and can be undone', async () => {
    expect(await plain({})).toEqual({ entry_group_id: to.g, moved: 1 });
    expect(await valueIn(to)).toBe('second');
    const [act] = (await ada.call(operations.journal, {})).data;
    await ada.call(operations.undo, {
      params: { operationId: act?.operation_id ?? '' },
      body: { master_password: ada.masterPassword },
    });
    expect(await valueIn(from)).toBe('second');
  });

  test('one entry can be moved by its own path', async () => {
    const body = { entryGroupTarget: to.g, master_password: ada.masterPassword };
    expect(await ada.call(entries.move, { params: from, body })).toEqual({ entry_group_id: to.g, moved: 1 });
  });

  test.each<[string, object, object]>([
    ['no master password', { master_password: null }, { errors: { master_password: ['MasterPassword is missing'] } }],
    [
      'no master password and unknown ids: the missing password is reported first',
      { master_password: null, entries: [UNKNOWN], entryGroupTarget: UNKNOWN },
      { errors: { master_password: ['MasterPassword is missing'] } },
    ],
    ['a wrong master password', { master_password: 'wrong' }, { code: 'master_password_invalid' }],
    [
      'an unknown target and a wrong master password: the target is reported first',
      { master_password: 'x', entryGroupTarget: UNKNOWN },
      { code: 'validation' },
    ],
  ])('refused with %s', async (_, more, expected) => {
    const before = await placesOf();
    await refusal(plain(more), expected);
    expect(await placesOf()).toEqual(before);
  });
});

describe('the proof (T115)', () => {
  const path = () => `/passwordBroker/api/entryGroups/${from.g}/entries/bulkEdit/wraps`;
  async function send(header: Record<string, string>) {
    return ada.request({ path: path(), json: { entries: [from.e] }, headers: header });
  }
  async function header(change: { path?: string; now?: number } = {}) {
    const { session_id } = await ada.call(me);
    const body = Buffer.from(JSON.stringify({ entries: [from.e] }));
    const request = {
      sessionId: session_id ?? '',
      method: 'POST',
      path: change.path ?? path(),
      bodyDigest: new Uint8Array(sha256(body)),
    };
    return { 'x-pb-proof': await prove(ada.keyring, request, change.now ?? app.deps.clock.now()) };
  }

  test('is valid once', async () => {
    const once = await header();
    expect((await send(once)).status).toBe(200);
    await expectRefusal(app, () => send(once), { status: 403, code: 'proof_replayed' });
  });
  test('is required', async () => {
    await expectRefusal(app, () => send({}), { errors: { master_password: ['MasterPassword is missing'] } });
  });
  test('for another call is refused', async () => {
    await expectRefusal(app, async () => send(await header({ path: '/other' })), {
      status: 403,
      code: 'proof_invalid',
    });
  });
  test.each([-91_000, 91_000])('%d ms off the server’s clock is refused', async (distance) => {
    const now = app.deps.clock.now();
    const late = await header({ now: now + distance });
    await expectRefusal(app, () => send(late), {
      status: 403,
      code: 'proof_expired',
      details: { server_time: Math.floor(now / 1000) },
    });
  });
});

describe('renaming and removing', () => {
  test('a new title is found at once, and undo restores title and time', async () => {
    const before = await ada.call(entries.get, { params: from });
    app.clock.advance(5000);
    const answer = await ada.request({
      method: 'PUT',
      path: `/passwordBroker/api/entryGroups/${from.g}/entries/${from.e}`,
      json: { title: '  Zanzibar ' },
    });
    expect([answer.status, answer.json()['title']]).toEqual([200, 'Zanzibar']);
    expect((await ada.call(entries.search, { query: { q: 'zanzibar' } })).total).toBe(1);
    const operationId = String(answer.headers['x-operation-id']);
    await ada.call(operations.undo, { params: { operationId }, body: {} });
    expect(await ada.call(entries.get, { params: from })).toEqual(before);
    expect((await ada.call(entries.search, { query: { q: 'zanzibar' } })).total).toBe(0);
  });

  test('several entries are deleted at once, duplicates count once; with a foreign or unknown one nothing is deleted', async () => {
    const second = await createEntryIn(ada, from.g, 'Second');
    const remove = (ids: readonly string[]) => ada.call(entries.removeMany, { params: from, body: { entries: ids } });
    await refusal(remove([second, to.e, UNKNOWN]), {
      errors: {
        'entries.1': ['The entry does not belong to this entry group.'],
        'entries.2': ['The entry does not belong to this entry group.'],
      },
    });
    expect((await ada.call(entries.listAll, { params: from })).length).toBe(2);
    const done = await remove([second, from.e, second]);
    expect(done).toMatchObject({ kind: 'delete', counts: { entry_groups: 0, entries: 2, fields: 1 } });
    expect(await ada.call(entries.listAll, { params: from })).toEqual([]);
    await ada.call(operations.undo, { params: { operationId: done.operation_id }, body: {} });
    expect((await ada.call(entries.listAll, { params: from })).length).toBe(2);
    expect((await ada.call(entries.search, { query: { q: 'second' } })).total).toBe(1);
  });

  test('a member may do neither', async () => {
    await joinGroup(app, from.g, bob, 'member');
    for (const call of [
      () => bob.call(entries.rename, { params: from, body: { title: 'x' } }),
      () => bob.call(entries.remove, { params: from }),
      () => bob.call(entries.removeMany, { params: from, body: { entries: [from.e] } }),
      () => callWithProof(app, bob, entries.wraps, { params: from, body: { entries: [from.e] } }),
    ]) {
      await refusal(call(), { code: 'forbidden' });
    }
  });
});
