/**
 * Each part of a path is looked up below its parents only; anything elsewhere is not found, for
 * every caller (T31–T33).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { ENTRY } from '@passwordbroker/core/contract/endpoint';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { createEntryIn, createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestPlace } from '../testing/test-place.ts';
import { putIntoTrash } from '../testing/trash.ts';
import { joinGroup } from '../testing/join-group.ts';
import { storedFields } from './testing/refusal.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
/**
 * A file field with its history: in the group, in another entry of it, in the same entry, and in
 * another group.
 */
let here: TestPlace;
let otherEntry: TestPlace;
let beside: TestPlace;
let otherGroup: TestPlace;

async function createField(place: SealedPlace): Promise<TestPlace> {
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  const { field_id: f } = await ada.call(fields.create, { params: place, multipart });
  const history = await ada.call(fields.history, { params: { ...place, f } });
  return { g: place.g, e: place.e, f, logId: history[0]?.field_edit_log_id ?? '' };
}

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  const place = await createSealedPlace(ada);
  here = await createField(place);
  beside = await createField(place);
  otherEntry = await createField({ ...place, e: await createEntryIn(ada, place.g) });
  otherGroup = await createField(await createSealedPlace(ada));
  await joinGroup(app, otherGroup.g, bob, 'member');
});
afterAll(() => app.stop());

const nested = (Object.entries(CONTRACT) as [string, Endpoint][]).filter(([, { path }]) => path.startsWith(ENTRY));

function send(client: SignedIn, { method, path, body }: Endpoint, ids: TestPlace) {
  return client.request({
    method,
    path: path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name as keyof TestPlace]),
    ...(body === undefined ? {} : { json: { master_password: client.masterPassword, type: 'note', value: 'x' } }),
  });
}

test('every call below an entry is tried', () => {
  expect(nested.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'entries.get',
      'fields.list',
      'fields.create',
      'fields.get',
      'fields.decrypted',
      'fields.envelope',
      'fields.file',
      'fields.history',
      'fields.historyDecrypted',
      'fields.historyEnvelope',
      'fields.historyFile',
    ]),
  );
});

describe.each(nested)('%s', (_name, endpoint) => {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof TestPlace);
  /** What is misplaced, and the deepest part of the path that reveals it. */
  const misplaced = (): [string, keyof TestPlace, TestPlace][] => [
    ['an entry of another group', 'e', { ...here, e: otherGroup.e }],
    ['a group that does not contain the entry', 'e', { ...here, g: otherGroup.g }],
    ['an unknown entry', 'e', { ...here, e: UNKNOWN }],
    ['a field of another entry', 'f', { ...here, f: otherEntry.f }],
    ['a field of another group', 'f', { ...here, f: otherGroup.f }],
    ['an entry that does not contain the field', 'f', { ...here, e: otherEntry.e }],
    ['an unknown field', 'f', { ...here, f: UNKNOWN }],
    ['a history row of the field beside it', 'logId', { ...here, logId: beside.logId }],
    ['a history row of another group', 'logId', { ...here, logId: otherGroup.logId }],
    ['a field that does not own the history row', 'logId', { ...here, f: beside.f }],
    ['an unknown history row', 'logId', { ...here, logId: UNKNOWN }],
  ];
  const differing = () => misplaced().filter(([, deepest]) => names.includes(deepest));

  // Calls that change or remove run on a new field; other tests check their bodies.
  const isChange = ['PUT', 'PATCH', 'DELETE'].includes(endpoint.method);
  const isFound = async (spelled: (ids: TestPlace) => TestPlace) => {
    const ids = isChange ? await createField(await createSealedPlace(ada)) : here;
    const { status } = await send(ada, endpoint, spelled(ids));
    return status < 300 || (isChange && status === 422);
  };

  test('a correct path is found', async () => {
    expect(await isFound((ids) => ids)).toBe(true);
  });

  test('a misplaced part is not found, and nothing is written', async () => {
    const before = await storedFields(app);
    expect(differing().length).toBeGreaterThan(0);
    for (const [what, , ids] of differing()) {
      const answer = await send(ada, endpoint, ids);
      expect([what, answer.status, answer.text]).toEqual([what, 404, expect.stringContaining('"not_found"')]);
    }
    expect(await storedFields(app)).toEqual(before);
  });

  test('a member of only the other group gets 404 there and 403 elsewhere', async () => {
    const before = await storedFields(app);
    for (const [what, , ids] of differing()) {
      const answer = await send(bob, endpoint, ids);
      const isWritten = endpoint.access === 'field.write' || endpoint.access === 'entry.write';
      const expected = ids.g === otherGroup.g && !isWritten ? 404 : 403;
      expect([what, answer.status]).toEqual([what, expected]);
    }
    expect(await storedFields(app)).toEqual(before);
  });

  test('ids in upper case are accepted, malformed ids are not found', async () => {
    const upper = (ids: TestPlace) => ({
      ...ids,
      ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id).toUpperCase()])),
    });
    expect(await isFound(upper)).toBe(true);
    for (const name of names) {
      for (const id of ['x', `${here[name]}0`, `${here[name]}%00`, '%2f', '*']) {
        const ids = { ...here, [name]: id };
        expect([id, (await send(ada, endpoint, ids)).status]).toEqual([id, 404]);
        // Callers without a role in the group get 403, whatever else the path says.
        if (name !== 'g') expect([id, (await send(bob, endpoint, ids)).status]).toEqual([id, 403]);
      }
    }
  });
});

describe('the trash (T101)', () => {
  const gone = async (kind: 'entry_group' | 'entry' | 'field', id: keyof TestPlace) => {
    const place = await createField(await createSealedPlace(ada));
    await putIntoTrash(app, kind, place[id]);
    const before = await storedFields(app);
    const reached = nested.filter(([, { path }]) => path.includes(`:${id}`));
    for (const [name, endpoint] of reached) {
      expect([name, (await send(ada, endpoint, place)).status]).toEqual([name, 404]);
    }
    expect(await storedFields(app)).toEqual(before);
  };
  test('hides a group with all below it', () => gone('entry_group', 'g'));
  test('hides an entry with its fields', () => gone('entry', 'e'));
  test('hides a field with its history', () => gone('field', 'f'));
});
