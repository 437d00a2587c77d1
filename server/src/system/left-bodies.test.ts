/** What is left of acts that did not happen is collected, and nothing else (R54). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/fields';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listBodies, replaceBody, setTouch } from '../testing/test-bodies.ts';
import { KEPT_FOR, collectLeftBodies } from './left-bodies.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

/** As a file is called until all of it is there. */
const HALF_WRITTEN = '.half-written';
const age = (name: string, ms: number) => setTouch(app, name, app.deps.clock.now() - ms);

test('only what no revision names, and nobody has touched for hours', async () => {
  const place = await createSealedPlace(ada);
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  await ada.call(fields.create, { params: place, multipart });
  const [named = ''] = await listBodies(app);
  const left = (await app.deps.bodies.put(Buffer.from('an act that was refused'))).sha256;
  const fresh = (await app.deps.bodies.put(Buffer.from('an act that is under way'))).sha256;
  await replaceBody(app, HALF_WRITTEN, Buffer.from('x'));
  for (const name of [named, left, HALF_WRITTEN]) await age(name, KEPT_FOR + 1000);
  await age(fresh, KEPT_FOR - 60_000);

  expect(await collectLeftBodies(app.deps)).toBe(2);
  expect(await listBodies(app)).toEqual([named, fresh].sort((a, b) => a.localeCompare(b)));

  // The same bytes once more, about to be named by a row: they count as touched.
  await age(fresh, KEPT_FOR + 1000);
  await app.deps.bodies.put(Buffer.from('an act that is under way'));
  expect(await collectLeftBodies({ ...app.deps, clock: { now: () => Date.now() } })).toBe(0);
});
