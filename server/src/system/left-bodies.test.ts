/** What is left of acts that did not happen is collected, and nothing else (R54). */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/fields';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listBodies, readBody, replaceBody, setTouch } from '../testing/test-bodies.ts';
import { KEPT_FOR } from '../platform/bodies.ts';
import { collectLeftBodies } from './left-bodies.ts';

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

test('what is stored once more while the collection looks at it stays, also when both come at the same moment (R54)', async () => {
  const { deps } = app;
  const bytes = Buffer.from('named in a moment');
  const { sha256 } = await deps.bodies.put(bytes);
  await age(sha256, KEPT_FOR + 1000);
  const bodies = {
    ...deps.bodies,
    async listUntouchedSince(time: number) {
      const names = await deps.bodies.listUntouchedSince(time);
      await deps.bodies.put(bytes);
      return names;
    },
  };
  expect(await collectLeftBodies({ ...deps, bodies })).toBe(0);
  expect((await readBody(app, sha256)).equals(bytes)).toBe(true);
  for (let round = 0; round < 50; round += 1) {
    await age(sha256, KEPT_FOR + 1000);
    await Promise.all([deps.bodies.remove(sha256, deps.clock.now() - KEPT_FOR), deps.bodies.put(bytes)]);
    expect((await readBody(app, sha256)).equals(bytes), `round ${round}`).toBe(true);
  }
  await age(sha256, KEPT_FOR + 1000);
  expect(await deps.bodies.remove(sha256, deps.clock.now() - KEPT_FOR)).toBe(true);
  expect(await deps.bodies.remove(sha256, deps.clock.now() - KEPT_FOR)).toBe(false);
});

test('a process that ended while it removed a file: the next one has it again, and judges anew', async () => {
  const { sha256 } = await app.deps.bodies.put(Buffer.from('half removed'));
  await age(sha256, KEPT_FOR + 1000);
  // As it lies between the two steps of a removal; a row goes in one.
  const aside = join(app.dataDir, 'bodies-removed');
  if (app.deps.db.dialect === 'sqlite') {
    await mkdir(aside, { recursive: true });
    await rename(join(app.dataDir, 'bodies', sha256), join(aside, sha256));
  }
  await app.restart();
  expect(await app.deps.bodies.has(sha256)).toBe(true);
  expect(await collectLeftBodies(app.deps)).toBe(1);
});
