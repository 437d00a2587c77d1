/** What is left of acts that did not happen is collected, and nothing else (R54). */
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/fields';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { KEPT_FOR, collectLeftBodies } from './left-bodies.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const folder = () => join(app.dataDir, 'bodies');
const age = async (name: string, ms: number) => {
  const time = new Date(app.deps.clock.now() - ms);
  await utimes(join(folder(), name), time, time);
};

test('only what no revision names, and nobody has touched for hours', async () => {
  const place = await createSealedPlace(ada);
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  await ada.call(fields.create, { params: place, multipart });
  const [named = ''] = await readdir(folder());
  const left = (await app.deps.bodies.put(Buffer.from('an act that was refused'))).sha256;
  const fresh = (await app.deps.bodies.put(Buffer.from('an act that is under way'))).sha256;
  await writeFile(join(folder(), '.half-written'), 'x');
  for (const name of [named, left, '.half-written']) await age(name, KEPT_FOR + 1000);
  await age(fresh, KEPT_FOR - 60_000);

  expect(await collectLeftBodies(app.deps)).toBe(2);
  expect((await readdir(folder())).sort((a, b) => a.localeCompare(b))).toEqual(
    [named, fresh].sort((a, b) => a.localeCompare(b)),
  );

  // The same bytes once more, about to be named by a row: they count as touched.
  await age(fresh, KEPT_FOR + 1000);
  await app.deps.bodies.put(Buffer.from('an act that is under way'));
  expect(await collectLeftBodies({ ...app.deps, clock: { now: () => Date.now() } })).toBe(0);
});
