/** Rosters in a group's head: those that prove each key version in use, and no earlier ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RotationFixture, startRotationFixture } from '../members/testing/rotation-fixture.ts';
import { headsOf } from './entries-and-heads.ts';

let fixture: RotationFixture;
beforeAll(async () => {
  fixture = await startRotationFixture();
});
afterAll(() => fixture.app.stop());

test('a head has the rosters since the last one of the oldest key version in use, and otherwise the newest roster', async () => {
  const { app, as, ada, bob } = fixture;
  const made = [await fixture.fresh(), await fixture.fresh(), await fixture.fresh()];
  const [once = '', longAgo = '', never = ''] = made.map(({ place }) => place.g);
  await as.add(ada, never, bob, 'member');
  await as.add(ada, once, bob, 'member');
  await as.rotate(ada, once);
  await as.add(ada, longAgo, bob, 'member');
  await as.rotate(ada, longAgo);
  for (let turn = 0; turn < 12; turn += 1) await as.add(ada, longAgo, bob, turn % 2 === 0 ? 'moderator' : 'member');
  const heads = await headsOf(app.deps.db.read, ada.userId, [once, longAgo, never]);
  const seqs = [once, longAgo, never].map((g) => heads.get(g)?.rosters.map(({ seq }) => seq));
  expect(seqs).toEqual([[1, 2], Array.from({ length: 14 }, (_, at) => at + 1), [1]]);
  await as.rotateAll(ada, once);
  expect((await headsOf(app.deps.db.read, ada.userId, [once])).get(once)?.rosters.map(({ seq }) => seq)).toEqual([3]);
});
