/** Three people, and before each test a new group of the first one with an entry and a field. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { type SealedPlace, createSealedPlace, sealedField } from '../../testing/sealed-place.ts';
import { type SignedIn, type TestApp, startTestApp } from '../../testing/test-app.ts';
import { type Sharing, sharing } from './sharing.ts';

interface People {
  readonly app: TestApp;
  readonly as: Sharing;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  readonly eve: SignedIn;
}

/** @param place a place of Ada's; @param f the field in it, 's3cr3t' */
type Taken = (place: SealedPlace, f: string) => void;

/** Call once in a file, before its own hooks. */
export function withSharedPlace(takePeople: (people: People) => void, takePlace: Taken): void {
  let app: TestApp;
  let ada: SignedIn;
  let made = 0;
  beforeAll(async () => {
    app = await startTestApp();
    ada = await app.signUp('ada');
    takePeople({ app, as: sharing(app), ada, bob: await app.signUp('bob'), eve: await app.signUp('eve') });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const place = await createSealedPlace(ada, { name: `Group ${(made += 1)}` });
    takePlace(place, (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id);
  });
}

/** Opens the value of the field as this person's client does. */
export async function valueFor(person: SignedIn, { g, e }: SealedPlace, f: string): Promise<string> {
  const { groupKey } = await openGroup(person.keyring, await person.call(groups.roster, { params: { g } }), g);
  const envelope = await person.call(fields.envelope, { params: { g, e, f } });
  const at = { entryGroupId: g, entryId: e, fieldId: f, type: envelope.type, rev: envelope.rev };
  const content = await openField(groupKey, at, envelope);
  return content.type === 'file' ? '' : Buffer.from(content.value).toString();
}
