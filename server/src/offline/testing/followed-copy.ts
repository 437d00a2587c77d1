/** A copy of two groups that others change: new groups before each test, and a device with a fresh copy. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { type Sharing, sharing } from '../../members/testing/sharing.ts';
import { nextRevision } from '../../testing/next-revision.ts';
import { type SealedPlace, createSealedPlace, sealedField } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { type Device, deviceOf } from './device.ts';
import { settled } from './settled.ts';

interface FollowedCopy {
  readonly app: TestApp;
  readonly as: Sharing;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  readonly eve: SignedIn;
  /** Groups of ada and bob (moderator), with `below` under `place`; `hers` is Ada's alone. */
  readonly place: SealedPlace;
  readonly below: SealedPlace;
  readonly hers: SealedPlace;
  readonly fieldId: string;
  /** Bob's device. */
  readonly device: Device;
}

export const noteOf = (title: string) => ({ type: 'note' as const, title, value: utf8('v') });

/**
 * Call once in a file, before its own hooks. @returns a function by which Ada writes the second revision of
 * the field
 */
export function withFollowedCopy(take: (copy: FollowedCopy) => void): () => Promise<unknown> {
  let made: Pick<FollowedCopy, 'app' | 'as' | 'ada' | 'bob' | 'eve' | 'hers'>;
  let copy: FollowedCopy;
  beforeAll(async () => {
    const app = await startTestApp();
    const [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
    const hers = await createSealedPlace(ada, { name: 'Hers', entry: 'Hers' });
    made = { app, as: sharing(app), ada, bob, eve, hers };
  });
  afterAll(() => made.app.stop());
  beforeEach(async () => {
    const { app, as, ada, bob, hers } = made;
    const place = await createSealedPlace(ada, { name: 'Operations', entry: 'Mail', parent: hers.g });
    const below = await createSealedPlace(ada, { name: 'Below', entry: 'Deep', parent: place.g });
    for (const { g } of [place, below]) await as.add(ada, g, bob, 'moderator');
    const fieldId = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
    const device = await deviceOf(bob);
    await settled(app);
    await device.fetch();
    copy = { ...made, place, below, fieldId, device };
    take(copy);
  });
  return async () => {
    const { ada, place, fieldId } = copy;
    const content = { ...noteOf('t'), type: 'password' as const, login: 'l' };
    const body = await nextRevision(place, { fieldId, baseRev: 1 }, content);
    return ada.call(fields.update, { params: { ...place, f: fieldId }, body });
  };
}
