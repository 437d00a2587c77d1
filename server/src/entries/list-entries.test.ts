/** The login beside each entry of a list: of its first password, by title, that has one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { callWithProof } from '../testing/test-proof.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

test('the first login by title; none of a note, of a deleted password or of an empty login', async () => {
  const place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
  const add = async (field: { readonly title: string; readonly login: string }) => {
    const body = await sealedField(place, { type: 'password', ...field, value: utf8('value') });
    return (await ada.call(fields.create, { params: place, body })).field_id;
  };
  const listed = async () =>
    (await ada.call(entries.listAll, { params: place })).map(({ title, login }) => [title, login]);
  await ada.call(entries.create, { params: place, body: { title: 'Wiki' } });
  const note = await sealedField(place, { type: 'note', title: 'A note', value: utf8('value') });
  await ada.call(fields.create, { params: place, body: note });
  await add({ title: 'Account 1', login: '' });
  expect(await listed()).toEqual([
    ['Mail', null],
    ['Wiki', null],
  ]);
  await add({ title: 'account 10', login: 'root' });
  const second = await add({ title: 'Account 2', login: 'postmaster' });
  expect(await listed()).toEqual([
    ['Mail', 'postmaster'],
    ['Wiki', null],
  ]);
  await callWithProof(app, ada, fields.remove, { params: { ...place, f: second } });
  expect(await listed()).toEqual([
    ['Mail', 'root'],
    ['Wiki', null],
  ]);
});
