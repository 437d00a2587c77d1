/** Adding people, roles, removing (`api.md` §3.7; T38, T40–T43, T106, T117, T118). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import { openField } from '@passwordbroker/core/domain/field';
import { openGroup } from '@passwordbroker/core/domain/group-keys';
import { type SealedPlace, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { type Sharing, sharing } from './testing/sharing.ts';

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let f: string;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada);
  f = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
});

async function valueFor(person: SignedIn): Promise<string> {
  const { g, e } = place;
  const { groupKey } = await openGroup(person.keyring, await person.call(groups.roster, { params: { g } }), g);
  const envelope = await person.call(fields.envelope, { params: { g, e, f } });
  const at = { entryGroupId: g, entryId: e, fieldId: f, type: envelope.type, rev: envelope.rev };
  const content = await openField(groupKey, at, envelope);
  return content.type === 'file' ? '' : Buffer.from(content.value).toString();
}
const auditOf = async (events: readonly string[]) =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'user_id', 'details'])
      .where('target_id', '=', place.g)
      .where('event_type', 'in', events)
      .orderBy('audit_id')
      .execute()
  ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? '{}') as unknown }));

describe('adding', () => {
  test('one wrap and the next roster: the new member opens what was there before, and is on record', async () => {
    const added = await as.add(ada, place.g, bob, 'moderator');
    expect(added).toMatchObject({ user_id: bob.userId, role: 'moderator', fpr: bob.keyring.fingerprint });
    expect(added.user).toEqual({ user_id: bob.userId, name: 'bob' });
    expect(await valueFor(bob)).toBe('s3cr3t');
    const { rosters, grants } = await bob.call(groups.roster, { params: { g: place.g } });
    expect(rosters.map(({ seq, signer }) => [seq, signer])).toEqual([[1, ada.userId]]);
    expect(grants).toMatchObject([{ user_id: bob.userId, role: 'moderator', gk_version: 1, granted_by: ada.userId }]);
    expect(await auditOf(['role_granted'])).toEqual([
      { event_type: 'role_granted', user_id: ada.userId, details: { user_id: bob.userId, role: 'moderator' } },
    ]);
  });

  test('with a master password: the same, by a script that knows no keys', async () => {
    const body = { target_user_id: bob.userId, role: 'member', master_password: ada.masterPassword };
    const answer = await ada.request({ path: `/passwordBroker/api/entryGroups/${place.g}/users/`, json: body });
    expect([answer.status, answer.json()['role']]).toEqual([201, 'member']);
    expect(await valueFor(bob)).toBe('s3cr3t');
    const again = await ada.request({
      path: `/passwordBroker/api/entryGroups/${place.g}/users`,
      json: { ...body, role: 'admin' },
    });
    expect([again.status, again.json()['role']]).toEqual([200, 'admin']);
    expect(await auditOf(['role_granted', 'role_changed'])).toHaveLength(2);
  });
});
