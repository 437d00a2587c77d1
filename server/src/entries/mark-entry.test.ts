/** Tags and icons of entries: limits, rights, search, and what happens to them with their entry. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { DAY_MS, dayAfter, ENTRY_ICONS, writeDay } from '@passwordbroker/core/domain/entry-marks';
import { v7 } from 'uuid';
import { roundTrip } from '../backups/testing/round-trip.ts';
import { keepassXml } from '../import/testing/keepass-xml.ts';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { everything } from '../operations/testing/vault.ts';
import { joinGroup } from '../testing/join-group.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

const IMPORT = '/passwordBroker/api/import';
let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada, { name: 'Web', entry: 'Shop' });
});

const mark = (body: { tags?: string[]; icon?: string }, at: Pick<SealedPlace, 'g' | 'e'> = place, person = ada) =>
  person.request({ method: 'PUT', path: `/passwordBroker/api/entryGroups/${at.g}/entries/${at.e}/marks`, json: body });
const tagsOf = async (at: Pick<SealedPlace, 'g' | 'e'> = place, person = ada) =>
  (await person.call(entries.get, { params: at })).tags;
const titlesFor = async (q: string, person = ada) =>
  (await person.call(entries.search, { query: { q } })).data.map(({ title }) => title).sort();
const tagsInUse = (person = ada, q = '') => person.call(entries.tagsInUse, { query: { q } });

describe('marks', () => {
  test('are stored trimmed, each tag once by its folded text, in order', async () => {
    const answer = await mark({ tags: [' web ', 'Ärger', 'WEB', 'arger', 'PCI'], icon: 'server' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ title: 'Shop', tags: ['Ärger', 'PCI', 'web'], icon: 'server' });
    const [listed] = await ada.call(entries.listAll, { params: { g: place.g } });
    expect(listed).toEqual({ ...(answer.json() as object), login: null });
  });

  test('stay when they are absent, and go when they are empty', async () => {
    await mark({ tags: ['a'], icon: 'key' });
    await mark({ icon: '' });
    expect(await ada.call(entries.get, { params: place })).toMatchObject({ tags: ['a'], icon: null });
    await mark({ tags: [] });
    expect(await tagsOf()).toEqual([]);
    expect(await titlesFor('tag:a')).toEqual([]);
  });

  test('come with a new entry', async () => {
    const body = { title: 'New', entry_id: v7(), tags: ['fresh'], icon: 'mail' as const };
    const made = await ada.call(entries.create, { params: { g: place.g }, body });
    expect(made).toMatchObject({ tags: ['fresh'], icon: 'mail' });
    expect(await ada.call(entries.create, { params: { g: place.g }, body })).toEqual(made);
    expect(await titlesFor('tag:fresh')).toEqual(['New']);
  });

  test.each([
    ['500 tags', { tags: Array.from({ length: 500 }, (_, at) => `t${at}`) }, 'An entry has at most 20 tags.'],
    ['a tag of 10,000 letters', { tags: ['a'.repeat(10_000)] }, 'A tag has at most 40 characters.'],
    ['a comma', { tags: ['a,b'] }, 'A tag is one line without commas and semicolons.'],
    ['a line break', { tags: ['a\nb'] }, 'A tag is one line without commas and semicolons.'],
    ['an empty tag', { tags: ['  '] }, 'A tag has at least one letter or digit.'],
    ['a lone accent', { tags: ['\u0301'] }, 'A tag has at least one letter or digit.'],
    ['an unknown icon', { icon: 'skull' }, 'The icon does not exist.'],
  ])('%s is refused with a sentence, and nothing changes', async (_, body, sentence) => {
    await mark({ tags: ['kept'], icon: 'key' });
    const before = await everything(app.deps);
    const answer = await mark(body);
    expect(answer.status).toBe(422);
    expect(Object.values(answer.json()['errors'] as Record<string, string[]>).flat()).toEqual([sentence]);
    expect(await everything(app.deps)).toEqual(before);
  });

  test('20 tags of 40 characters are stored', async () => {
    const tags = Array.from({ length: 20 }, (_, at) => `${String(at).padStart(2, '0')}${'é'.repeat(38)}`);
    expect((await mark({ tags })).json()['tags']).toEqual(tags);
    expect(await titlesFor(`tag:${tags[7]}`)).toEqual(['Shop']);
  });

  test('each icon is accepted', async () => {
    for (const icon of ENTRY_ICONS) expect((await mark({ icon })).status).toBe(200);
  });

  test('leave an audit row without the tag, and none if nothing changed', async () => {
    await mark({ tags: ['canary'], icon: 'key' });
    await mark({ tags: ['Canary'.toLowerCase()] });
    const rows = await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'target_id', 'details'])
      .where('target_id', '=', place.e)
      .where('event_type', '=', 'entry_marked')
      .execute();
    expect(rows.map(({ details }) => JSON.parse(details ?? '') as unknown)).toEqual([
      { entry_group_id: place.g, changed: 'tags, icon' },
    ]);
  });
});

describe('rights', () => {
  test('a member reads tags and changes none; somebody else sees them in no list and no count', async () => {
    const [bob, eve] = [await app.signUp(`bob-${v7()}`), await app.signUp(`eve-${v7()}`)];
    await joinGroup(app, place.g, bob, 'member');
    await mark({ tags: ['secret plan'] });
    expect((await mark({ tags: [] }, place, bob)).status).toBe(403);
    expect((await mark({ tags: [] }, place, eve)).status).toBe(403);
    expect(await tagsOf(place, bob)).toEqual(['secret plan']);
    expect(await tagsInUse(bob)).toEqual([{ tag: 'secret plan', entries: 1 }]);
    expect(await tagsInUse(eve)).toEqual([]);
    expect(await titlesFor('tag:"secret plan"', eve)).toEqual([]);
  });

  test('an entry is found in its own group only', async () => {
    const other = await createSealedPlace(ada);
    expect((await mark({ tags: ['x'] }, { g: other.g, e: place.e })).status).toBe(404);
    expect(await tagsOf()).toEqual([]);
  });
});

describe('search and list', () => {
  test('tag: finds whole tags without case and accents, also excluded and beside words', async () => {
    const zoe = await app.signUp(`zoe-${v7()}`);
    const own = await createSealedPlace(zoe, { entry: 'Mail' });
    const second = { g: own.g, e: await createEntryIn(zoe, own.g, 'Mail archive') };
    await mark({ tags: ['Zahlung PCI', 'b'] }, own, zoe);
    await mark({ tags: ['b', '100%_'] }, second, zoe);
    expect(await titlesFor('tag:b', zoe)).toEqual(['Mail', 'Mail archive']);
    expect(await titlesFor('tag:B archive', zoe)).toEqual(['Mail archive']);
    expect(await titlesFor('tag:"zahlung pci"', zoe)).toEqual(['Mail']);
    expect(await titlesFor('tag:zahlung', zoe)).toEqual([]);
    expect(await titlesFor('mail -tag:"zahlung pci"', zoe)).toEqual(['Mail archive']);
    expect(await titlesFor('"tag:b"', zoe)).toEqual([]);
    expect(await tagsInUse(zoe)).toEqual([
      { tag: 'b', entries: 2 },
      { tag: '100%_', entries: 1 },
      { tag: 'Zahlung PCI', entries: 1 },
    ]);
    expect(await tagsInUse(zoe, 'ZÄH')).toEqual([{ tag: 'Zahlung PCI', entries: 1 }]);
    expect(await tagsInUse(zoe, '%')).toEqual([]);
  });
});

describe('with their entry, marks', () => {
  const there = { tags: ['kept'], icon: 'plug' };
  beforeEach(async () => {
    await mark({ tags: ['kept'], icon: 'plug' });
  });

  test('move', async () => {
    const to = await createSealedPlace(ada, { name: 'To' });
    const body = { entryGroupTarget: to.g, master_password: ada.masterPassword };
    await ada.call(entries.move, { params: place, body });
    expect(await ada.call(entries.get, { params: { g: to.g, e: place.e } })).toMatchObject(there);
  });

  test('go into the trash, come back, and are purged', async () => {
    const zoe = await app.signUp(`zoe-${v7()}`);
    const own = await createSealedPlace(zoe, { entry: 'Kept' });
    await mark(there, own, zoe);
    const { operation_id: operationId } = await zoe.call(entries.remove, { params: own });
    expect([await titlesFor('tag:kept', zoe), await tagsInUse(zoe)]).toEqual([[], []]);
    await zoe.call(operations.undo, { params: { operationId }, body: {} });
    expect(await zoe.call(entries.get, { params: own })).toMatchObject(there);
    expect([await titlesFor('tag:kept', zoe), await tagsInUse(zoe)]).toEqual([['Kept'], [{ tag: 'kept', entries: 1 }]]);
    const again = await zoe.call(entries.remove, { params: own });
    await zoe.call(operations.purge, { params: { operationId: again.operation_id } });
    const left = app.deps.db.read.selectFrom('entry_tags').selectAll().where('entry_id', '=', own.e);
    expect(await left.execute()).toEqual([]);
  });

  test('are in a backup', async () => {
    const into = await startTestApp();
    try {
      await roundTrip(app, into, { person: ada, groupId: place.g });
      const person = await into.signIn(ada);
      expect(await person.call(entries.get, { params: place })).toMatchObject(there);
      expect(await titlesFor('tag:kept', person)).toContain('Shop');
    } finally {
      await into.stop();
    }
  });
});

describe('imports', () => {
  test('tags of a KeePass file become tags; one that is too long stays in the note', async () => {
    const zoe = await app.signUp(`zoe-${v7()}`);
    const long = 'x'.repeat(41);
    const file = keepassXml({ name: 'Root', entries: [{ title: 'Old', tags: `red; Blue,red;${long}` }] });
    const multipart = new FormData();
    multipart.append('master_password', zoe.masterPassword);
    multipart.append('file', new Blob([new Uint8Array(file)]), 'a.xml');
    expect((await zoe.request({ method: 'POST', path: IMPORT, multipart })).status).toBe(201);
    const [found] = (await zoe.call(entries.search, { query: { q: 'tag:blue' } })).data;
    expect(found).toMatchObject({ title: 'Old', tags: ['Blue', 'red'] });
    expect(await tagsInUse(zoe)).toEqual([
      { tag: 'Blue', entries: 1 },
      { tag: 'red', entries: 1 },
    ]);
  });

  test('a sealed batch brings tags, with the same limits', async () => {
    const made = await sealedBatch(ada.keyring, app.deps.clock.now(), 'Tagged');
    const [entry, ...others] = made.batch.entries;
    const withTags = (tags: string[]) => {
      const batch = { ...made.batch, entries: [{ ...entry!, tags }, ...others] };
      return ada.request({ method: 'POST', path: IMPORT, multipart: batchForm({ ...made, batch }) });
    };
    const refused = await withTags(Array.from({ length: 21 }, (_, at) => `t${at}`));
    expect([refused.status, JSON.stringify(refused.json())]).toEqual([
      422,
      expect.stringContaining('An entry has at most 20 tags.'),
    ]);
    expect((await withTags(['batch'])).status).toBe(201);
    expect(await titlesFor('tag:batch')).toEqual(['Mail']);
  });
});

describe('due dates', () => {
  const inDays = (days: number) => writeDay(dayAfter(app.clock.now(), days));
  const due = (body: object, at: Pick<SealedPlace, 'g' | 'e'> = place) =>
    ada.request({ method: 'PUT', path: `/passwordBroker/api/entryGroups/${at.g}/entries/${at.e}/marks`, json: body });
  const shown = async (at: Pick<SealedPlace, 'g' | 'e'> = place) => {
    const { due_at, due_kind, rotate_days } = await ada.call(entries.get, { params: at });
    return [due_at, due_kind, rotate_days];
  };

  test('a day is stored, to review unless the kind is named, and removed by an empty text', async () => {
    expect((await due({ due_at: '2028-02-29' })).json()).toMatchObject({ due_at: '2028-02-29', due_kind: 'review' });
    await due({ due_kind: 'expires' });
    expect(await shown()).toEqual(['2028-02-29', 'expires', null]);
    await due({ due_at: '' });
    expect(await shown()).toEqual([null, null, null]);
  });

  test.each([
    [{ due_at: '40000-01-01' }, 'The date is a day from 2000 to 2199, such as 2027-01-31.'],
    [{ due_at: '2027-02-30' }, 'The date is a day from 2000 to 2199, such as 2027-01-31.'],
    [{ due_at: 4 }, 'The date is a day from 2000 to 2199, such as 2027-01-31.'],
    [{ rotate_days: 40_000 }, 'The rotate days must be between 0 and 3650.'],
    [{ due_kind: 'soon' }, 'The due kind must be one of: rotate, expires, review.'],
  ])('%j is refused with a sentence, and nothing changes', async (body, sentence) => {
    await due({ due_at: '2027-06-01' });
    const before = await everything(app.deps);
    const answer = await due(body);
    expect([answer.status, Object.values(answer.json()['errors'] as object)]).toEqual([422, [[sentence]]]);
    expect(await everything(app.deps)).toEqual(before);
  });

  test('another password moves the date of an entry with rotate_days, another title does not', async () => {
    await due({ rotate_days: 90 });
    const first = inDays(90);
    expect(await shown()).toEqual([first, 'rotate', 90]);
    const field = await ada.call(fields.create, { params: place, body: await sealedField(place) });
    const params = { ...place, f: field.field_id };
    const content = { type: 'password' as const, title: 'New title', login: 'ada', value: utf8('s3cr3t') };
    const next = async (baseRev: number, changed: object) => {
      const body = await nextRevision(place, { fieldId: field.field_id, baseRev }, content);
      await ada.call(fields.update, { params, body: { ...body, ...changed } });
    };
    app.clock.advance(10 * MINUTE);
    await next(1, {});
    expect(await shown()).toEqual([first, 'rotate', 90]);
    app.clock.advance(10 * DAY_MS);
    ada = await app.signIn(ada);
    await next(2, { value_changed: true });
    expect(await shown()).toEqual([inDays(90), 'rotate', 90]);
    app.clock.advance(10 * DAY_MS);
    ada = await app.signIn(ada);
    await ada.call(fields.update, { params, body: { value: 'plain', master_password: ada.masterPassword } });
    expect(await shown()).toEqual([inDays(90), 'rotate', 90]);
  });

  test('due:late finds days that have passed in UTC, due:week today and seven more', async () => {
    for (const days of [-1, 0, 7, 8]) {
      await due({ due_at: inDays(days) }, { g: place.g, e: await createEntryIn(ada, place.g, `Due ${days}`) });
    }
    const dueTitles = async (q: string) => (await titlesFor(q)).filter((title) => title.startsWith('Due'));
    expect(await dueTitles('due:late')).toEqual(['Due -1']);
    expect(await dueTitles('due:week')).toEqual(['Due 0', 'Due 7']);
    expect(await dueTitles('title:due -due:week')).toEqual(['Due -1', 'Due 8']);
    app.clock.advance(DAY_MS);
    ada = await app.signIn(ada);
    expect(await dueTitles('due:late')).toEqual(['Due -1', 'Due 0']);
  });

  test('the expiry of a KeePass entry becomes its due date', async () => {
    const entry = { title: 'Ends', expires: '2027-03-01T10:00:00Z' };
    const multipart = new FormData();
    multipart.append('master_password', ada.masterPassword);
    multipart.append('file', new Blob([new Uint8Array(keepassXml({ name: 'Root', entries: [entry] }))]), 'a.xml');
    await ada.request({ method: 'POST', path: IMPORT, multipart });
    const [found] = (await ada.call(entries.search, { query: { q: 'title:ends' } })).data;
    expect(found).toMatchObject({ due_at: '2027-03-01', due_kind: 'expires' });
  });
});
