/** Imports in several requests (docs/spec/api.md §3.10, IM13). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { v7 } from 'uuid';
import * as site from '@passwordbroker/core/contract/site/site';
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { storedSource } from '../sealed-source.ts';
import { sweepImports } from './import-parts.ts';
import { manyFields, sealedBatch, type TestBatch } from '../testing/sealed-batch.ts';

const PATH = '/passwordBroker/api/imports';
const HOUR = 60 * 60_000;
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let made: TestBatch;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());
beforeEach(async () => {
  const { batch, bodies } = await sealedBatch(ada.keyring, app.clock.now(), `Tree ${v7()}`);
  const more = manyFields(batch, 700);
  made = {
    batch: { ...batch, entries: [...batch.entries, ...more.entries], fields: [...batch.fields, ...more.fields] },
    bodies,
  };
});

type Part = Partial<Pick<ImportBatch, 'fields'>> & object;

const begin = async (parts: number, bytes = 8 * 1024 * 1024, person = ada) =>
  person.request({ path: PATH, json: { parts, bytes } });
const begun = async (parts: number) => (await begin(parts)).json<{ import_id: string }>().import_id;

function formOf(batch: Part | null, bodies: TestBatch['bodies'] = {}): FormData {
  const form = new FormData();
  if (batch !== null) form.append('batch', new Blob([JSON.stringify(batch)], { type: 'application/json' }), 'batch');
  for (const [part, bytes] of Object.entries(bodies)) form.append(part, new Blob([bytes]), 'body');
  return form;
}

const put = (id: string, part: number | string, multipart: FormData, person = ada) =>
  person.request({ method: 'PUT', path: `${PATH}/${id}/parts/${part}`, multipart });
const commit = (id: string, person = ada) => person.request({ method: 'POST', path: `${PATH}/${id}/commit` });

/** The head with the first fields; the others; the file. */
function threeParts({ batch, bodies }: TestBatch): readonly FormData[] {
  const fields = batch.fields.slice(300);
  return [formOf({ ...batch, fields: batch.fields.slice(0, 300) }), formOf({ fields }), formOf(null, bodies)];
}

async function putAll(id: string, parts: readonly FormData[]): Promise<void> {
  for (const [at, part] of parts.entries()) expect((await put(id, at + 1, part)).status).toBe(204);
}

const bodyCount = async () => (await app.deps.bodies.listUntouchedSince(Number.MAX_SAFE_INTEGER)).length;
const treesNamed = async (name: string) =>
  (
    await app.deps.db.read
      .selectFrom('entry_groups')
      .select('name')
      .where('name', '=', name)
      .where('trashed_by', 'is', null)
      .execute()
  ).length;

test('IM13: parts in any order, one of them twice, become one import, as one request would', async () => {
  const before = await bodyCount();
  const id = await begun(3);
  const [first, second, third] = threeParts(made) as [FormData, FormData, FormData];
  for (const [part, form] of [
    [3, third],
    [2, formOf({ fields: [] })],
    [1, first],
    [2, second],
  ] as const)
    expect((await put(id, part, form)).status).toBe(204);
  expect(await treesNamed(made.batch.name ?? '')).toBe(0);
  const answer = await commit(id);
  expect(answer.status).toBe(201);
  expect(answer.json()).toMatchObject({
    name: made.batch.name,
    counts: { entry_groups: 2, entries: 5, fields: 702, revisions: 1403 },
  });
  const { operation_id } = answer.json<{ operation_id: string }>();
  // Only the sealed file is left of what waited.
  expect(await bodyCount()).toBe(before + 1);
  const again = await commit(id);
  expect([again.status, again.json()]).toMatchObject([
    409,
    { message: 'This import has been stored', details: { operation_id } },
  ]);
  const undone = await ada.request({ method: 'POST', path: `/passwordBroker/api/operations/${operation_id}/undo` });
  expect([undone.status, await treesNamed(made.batch.name ?? '')]).toEqual([200, 0]);
});

test('IM13: a missing part is named, and nothing is stored', async () => {
  const id = await begun(3);
  const [first, , third] = threeParts(made) as [FormData, FormData, FormData];
  await put(id, 1, first);
  await put(id, 3, third);
  const answer = await commit(id);
  expect([answer.status, answer.json()]).toMatchObject([409, { message: 'Part 2 is missing', details: { part: 2 } }]);
  expect(await treesNamed(made.batch.name ?? '')).toBe(0);
});

test('IM13: two commits at once store one import', async () => {
  const id = await begun(3);
  await putAll(id, threeParts(made));
  const statuses = (await Promise.all([commit(id), commit(id)])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses).toContain(409);
  expect(await treesNamed(made.batch.name ?? '')).toBe(1);
});

test('IM13: a disk without room for it refuses it before a part arrives', async () => {
  const { space } = app.deps;
  const { total } = await space.look();
  expect(total).toBeGreaterThan(0);
  const book = space.book();
  const { free, margin } = await space.look();
  await book.add(free - margin - 64 * 1024 * 1024);
  try {
    const answer = await begin(8, 8 * 64 * 1024 * 1024);
    // With PostgreSQL the vault lies on another disk.
    const holdsVault = app.deps.db.dialect === 'sqlite';
    expect([answer.status, answer.json()['code']]).toEqual(
      holdsVault ? [507, 'insufficient_storage'] : [201, undefined],
    );
  } finally {
    book.release();
  }
});

describe('who and when', () => {
  test('it is found by the person who began it alone, until it ends', async () => {
    const id = await begun(1);
    for (const answer of [
      await put(id, 1, formOf({ fields: [] }), bob),
      await commit(id, bob),
      await bob.request({ method: 'DELETE', path: `${PATH}/${id}` }),
    ])
      expect(answer.status).toBe(404);
    expect((await ada.request({ method: 'DELETE', path: `${PATH}/${id}` })).status).toBe(204);
    expect((await commit(id)).status).toBe(404);
  });

  test('a person has one at a time: another one ends it and frees its space', async () => {
    const before = await bodyCount();
    const id = await begun(3);
    await putAll(id, threeParts(made));
    expect(await bodyCount()).toBe(before + 3);
    const next = await begun(2);
    expect([await bodyCount(), (await commit(id)).status]).toEqual([before, 404]);
    await ada.request({ method: 'DELETE', path: `${PATH}/${next}` });
  });
});

test('while it is stored nothing changes or ends it; a process that died blocks the person for a quarter of an hour', async () => {
  const id = await begun(1);
  const { batch, bodies } = made;
  await putAll(id, [formOf(batch, bodies)]);
  const since = (storing_at: number) =>
    app.deps.db.transact((tx) => tx.updateTable('imports').set({ storing_at }).execute());
  await since(app.clock.now());
  const answers = [
    await put(id, 1, formOf({ fields: [] })),
    await commit(id),
    await ada.request({ method: 'DELETE', path: `${PATH}/${id}` }),
    await begin(1),
  ];
  expect(answers.map((answer) => [answer.status, answer.json()['message']])).toEqual(
    answers.map(() => [409, 'This import is being stored']),
  );
  await since(app.clock.now() - HOUR / 4);
  expect((await commit(id)).status).toBe(201);
});

test('more than the quota of the person: refused before a part arrives', async () => {
  await ada.call(site.changeLimits, { body: { person_quota_mib: 1 } });
  try {
    const answer = await begin(8, 100 * 1024 * 1024, bob);
    expect([answer.status, answer.json()['code']]).toEqual([507, 'quota_exceeded']);
  } finally {
    await ada.call(site.changeLimits, { body: { person_quota_mib: 0 } });
  }
});

describe('bad parts', () => {
  test.each<readonly [string, number | string, () => FormData, number]>([
    ['a part that was not announced', 4, () => formOf({ fields: [] }), 404],
    ['no number', 'first', () => formOf({ fields: [] }), 404],
    ['nothing', 1, () => new FormData(), 400],
    ['a file of another name', 1, () => formOf(null, { '../batch': new Uint8Array(3) }), 400],
    ['more bytes than announced', 1, () => formOf(null, { [`file_${v7()}_1`]: new Uint8Array(9 * 1024 * 1024) }), 413],
  ])('%s is refused and leaves nothing', async (_, part, form, status) => {
    const before = await bodyCount();
    const id = await begun(3);
    expect((await put(id, part, form())).status).toBe(status);
    expect(await bodyCount()).toBe(before);
  });

  test.each<readonly [string, (batch: ImportBatch) => readonly [object, object], string]>([
    [
      'groups in a later part',
      (batch) => [
        { ...batch, fields: [] },
        { groups: batch.groups, fields: [] },
      ],
      'batch.groups',
    ],
    ['a later part without fields', (batch) => [{ ...batch, fields: [] }, {}], 'batch.fields'],
    [
      'a field of an unknown entry',
      (batch) => {
        const [field] = batch.fields;
        return [{ ...batch, fields: batch.fields.slice(0, 1) }, { fields: [{ ...field, entry_id: v7() }] }];
      },
      'batch.fields.1.entry_id',
    ],
  ])('%s: refused with its place, and nothing is stored', async (_, split, place) => {
    const id = await begun(2);
    const [first, second] = split(made.batch);
    await putAll(id, [formOf(first), formOf(second)]);
    const answer = await commit(id);
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [place]]);
    expect(await treesNamed(made.batch.name ?? '')).toBe(0);
  });

  test.each([
    ['nine parts', { parts: 9, bytes: 1000 }, 'parts'],
    ['no part', { parts: 0, bytes: 1000 }, 'parts'],
    ['more than eight requests take', { parts: 8, bytes: 8 * 64 * 1024 * 1024 + 1 }, 'bytes'],
  ])('%s: refused', async (_, json, place) => {
    const answer = await ada.request({ path: PATH, json });
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [place]]);
  });

  test('existing entries: they are written by one transaction, so they come in one request', async () => {
    const { batch } = made;
    const group = await ada.request({ path: PATH.replace('imports', 'import'), multipart: formOf(batch, made.bodies) });
    const into = group.json<{ entry_group_id: string }>().entry_group_id;
    const [entry] = batch.entries;
    const id = await begun(2);
    const head = {
      into,
      targets: [{ entry_group_id: into, gk_version: 1 }],
      existing_entries: [{ entry_id: entry?.entry_id, entry_group_id: into }],
      groups: [],
      entries: [],
      skipped: [],
      fields: [],
    };
    await putAll(id, [formOf(head), formOf({ fields: [] })]);
    const answer = await commit(id);
    expect([answer.status, answer.json()['errors']]).toEqual([
      422,
      { batch: ['An import in parts makes new entries only.'] },
    ]);
  });

  test('sealed files without a batch, or the same file in two parts: refused', async () => {
    const { batch, bodies } = made;
    for (const [first, second] of [
      [formOf(null, bodies), formOf(null, { [`file_${v7()}_1`]: new Uint8Array(3) })],
      [formOf(batch, bodies), formOf(null, bodies)],
    ] as const) {
      const id = await begun(2);
      await putAll(id, [first, second]);
      expect((await commit(id)).status).toBe(400);
    }
    expect(await treesNamed(batch.name ?? '')).toBe(0);
  });

  test('a file that many revisions name is read once', async () => {
    const read: string[] = [];
    const source = storedSource({ batches: [], bodies: new Map([['file', 'its name']]) }, async (name) => {
      read.push(name);
      return new Uint8Array(3);
    });
    expect([await source.takeBody('file'), await source.takeBody('file')]).toEqual([new Uint8Array(3), undefined]);
    expect(read).toEqual(['its name']);
  });

  test('text that is no JSON: refused, and the next part replaces it', async () => {
    const id = await begun(1);
    const form = new FormData();
    form.append('batch', new Blob(['{"name":'], { type: 'application/json' }), 'batch');
    await put(id, 1, form);
    expect((await commit(id)).status).toBe(400);
    const { batch, bodies } = made;
    await putAll(id, [formOf(batch, bodies)]);
    expect((await commit(id)).status).toBe(201);
  });
});

// Last: the clock ends the sessions.
test('after an hour without a call it ends, and the sweep frees its space', async () => {
  const before = await bodyCount();
  const id = await begun(3);
  const parts = threeParts(made);
  await put(id, 1, parts[0] ?? new FormData());
  await put(id, 2, parts[1] ?? new FormData());
  app.clock.advance(HOUR);
  const late = await put(id, 3, parts[2] ?? new FormData(), await app.signIn(ada));
  expect(late.status).toBe(404);
  await sweepImports(app.deps, app.clock.now());
  expect(await bodyCount()).toBe(before);
});
