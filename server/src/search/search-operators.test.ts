/** Operators of the search box against the index. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { search } from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let office: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const make = async (group: string, entry: string, type: 'password' | 'note', title: string, login?: string) => {
    const place = await createSealedPlace(ada, { name: group, entry });
    const content = { title, value: utf8('a value') };
    const body = await sealedField(
      place,
      type === 'password' ? { type, ...content, login: login ?? '' } : { type, ...content },
    );
    await ada.call(fields.create, { params: place, body });
    return place.g;
  };
  office = await make('North office', 'Mail server', 'password', 'Root', 'postmaster@mail');
  await make('South office', 'Mail archive', 'note', 'Old server');
  await make('Mail people', 'Printer', 'password', 'Panel', 'db');
  await make('Cluster', 'web -staging a:b', 'password', 'Shell', 'root');
});
afterAll(() => app.stop());

const titlesFor = async (q: string) => (await ada.call(search, { query: { q } })).data.map(({ title }) => title).sort();

test.each([
  ['mail', ['Mail archive', 'Mail server', 'Printer']],
  ['title:mail', ['Mail archive', 'Mail server']],
  ['title:panel', ['Printer']],
  ['login:mail', ['Mail server']],
  ['login:db', ['Printer']],
  ['login:xy', []],
  ['group:mail', ['Printer']],
  ['group:office -title:archive', ['Mail server']],
  ['mail -login:postmaster', ['Mail archive', 'Printer']],
  ['"mail server"', ['Mail server']],
  ['"server mail"', []],
  ['"old server"', ['Mail archive']],
  ['type:note', ['Mail archive']],
  ['type:password office', ['Mail server']],
  ['-type:password', ['Mail archive']],
  ['type:totp', []],
  ['-mail', ['web -staging a:b']],
  ['web -staging', []],
  ['"-staging"', ['web -staging a:b']],
  ['"b-staging"', []],
  ['title:"-staging"', ['web -staging a:b']],
  ['web -"-staging"', []],
  ['a:b', ['web -staging a:b']],
  ['web -a:b', []],
  ['type:card', []],
  // No entry here has tags, and none has a due date.
  ['tag:mail', []],
  ['mail tag:mail', []],
  ['mail -tag:mail', ['Mail archive', 'Mail server', 'Printer']],
  ['-tag:mail', ['Mail archive', 'Mail server', 'Printer', 'web -staging a:b']],
  ['due:week', []],
  ['printer -due:late', ['Printer']],
  ['"tag:mail"', []],
  ['-db', ['Mail archive', 'Mail server', 'web -staging a:b']],
  ['-archive', ['Mail server', 'Printer', 'web -staging a:b']],
])('%s', async (q, titles) => {
  expect(await titlesFor(q)).toEqual(titles);
});

test('a renamed group is found by its new name at once, and not by the former one', async () => {
  await ada.call(groups.rename, { params: { g: office }, body: { name: 'Ostbüro' } });
  expect(await titlesFor('group:ostburo')).toEqual(['Mail server']);
  expect(await titlesFor('group:north')).toEqual([]);
});
