/** After random operations of several people the old copy plus the delta equals a new copy. */
import { expect, test } from 'vitest';
import * as people from '@passwordbroker/core/contract/users/people';
import { type Company, walkAtRandom } from '../authorisation/testing/random-walk.ts';
import { type Device, deviceOf, inOrder } from './testing/device.ts';

test.each([20_260_302, 20_260_303, 20_260_304])(
  'after 150 random operations (seed %i) every delta equals a new copy',
  { timeout: 900_000 },
  (seed) => follow(seed, 150),
);

/** Renames a person, whose name appears in groups and fields of others. */
async function rename({ people: all, chance }: Company, step: number): Promise<void> {
  const person = chance.of(all);
  const [siteAdmin] = all;
  const body = { name: `${person.name} ${step}`, email: person.email };
  await siteAdmin?.call(people.update, { params: { id: person.userId }, body });
}

async function follow(seed: number, steps: number): Promise<void> {
  const devices: Device[] = [];
  let compared = 0;
  let changed = 0;
  await walkAtRandom(seed, steps, async (company, step) => {
    const { people: all, chance } = company;
    if (step < 0) {
      for (const person of all) devices.push(await deviceOf(person));
      for (const device of devices) await device.fetch();
      return;
    }
    if (chance.oneIn(15)) await rename(company, step);
    if (!chance.oneIn(4) && step < steps - 1) return;
    for (const [at, person] of all.entries()) {
      const device = devices[at];
      if (device === undefined || (chance.oneIn(2) && step < steps - 1)) continue;
      const before = device.copy();
      const isStale = await device.isStale();
      const fresh = inOrder((await (await deviceOf(person)).fetch()).data ?? { trees: [], groups: [] });
      await device.follow();
      expect(device.copy(), `seed ${seed}, step ${step}, ${person.name}`).toEqual(fresh);
      // The check never reports a changed copy as fresh, and a followed copy is fresh.
      if (!isStale) expect(fresh).toEqual(before);
      else changed += 1;
      if (company.app.deps.db.dialect === 'sqlite') expect(await device.isStale()).toBe(false);
      compared += 1;
    }
  });
  // The walk must have changed enough.
  expect(compared).toBeGreaterThan(40);
  expect(changed).toBeGreaterThan(20);
}
