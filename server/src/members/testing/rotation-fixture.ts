/** A group with every kind of value that a rotation rewraps, and its people. */
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { nextRevision } from '../../testing/next-revision.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { type Sharing, sharing } from './sharing.ts';

/** Number of revisions of a fresh group. */
export const REVISIONS = 4;

export interface FreshGroup {
  readonly place: SealedPlace;
  /** A field with two revisions: 's3cr3t', 'second'. */
  readonly f: string;
  /** A field in the trash, and an entry in the trash with a field. */
  readonly gone: string;
  readonly goneEntry: string;
  update(groupKey: GroupKey, baseRev: number, text: string): Promise<unknown>;
  /** Every value of the field that the person can open, newest first. */
  valuesFor(person: SignedIn): Promise<string[]>;
  /** Key version of each revision. */
  versions(): Promise<number[]>;
  /** Key version of each grant. */
  grants(): Promise<number[]>;
}

export interface RotationFixture {
  readonly app: TestApp;
  readonly as: Sharing;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  readonly eve: SignedIn;
  /** A new group with Ada as the only member. */
  fresh(): Promise<FreshGroup>;
}

export async function startRotationFixture(): Promise<RotationFixture> {
  const app = await startTestApp();
  const as = sharing(app);
  const [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
  return { app, as, ada, bob, eve, fresh: () => freshGroup({ app, as, ada }) };
}

async function freshGroup({ app, as, ada }: Pick<RotationFixture, 'app' | 'as' | 'ada'>): Promise<FreshGroup> {
  const place = await createSealedPlace(ada, { name: `Group ${app.deps.newId()}` });
  const f = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
  const update = async (groupKey: GroupKey, baseRev: number, text: string) => {
    const content = { type: 'password' as const, title: 'T', login: 'l', value: utf8(text) };
    const body = await nextRevision({ ...place, groupKey }, { fieldId: f, baseRev }, content);
    return ada.call(fields.update, { params: { ...place, f }, body });
  };
  await update(place.groupKey, 1, 'second');
  const gone = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
  await callWithProof(app, ada, fields.remove, { params: { ...place, f: gone } });
  const goneEntry = await createEntryIn(ada, place.g, 'Gone');
  const there = { ...place, e: goneEntry };
  await ada.call(fields.create, { params: there, body: await sealedField(there) });
  await ada.call(entries.remove, { params: there });
  return {
    place,
    f,
    gone,
    goneEntry,
    update,
    async valuesFor(person) {
      const byVersion = await as.keys(person, place.g);
      const params = { ...place, f };
      const rows = await person.call(fields.history, { params });
      return Promise.all(
        rows
          .filter(({ has_value }) => has_value)
          .map(async ({ field_edit_log_id: logId }) => {
            const envelope = await person.call(fields.historyEnvelope, { params: { ...params, logId } });
            const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
            const content = await openField(byVersion.get(envelope.gk_version)!, at, envelope);
            return content.type === 'file' ? '' : Buffer.from(content.value).toString();
          }),
      );
    },
    async versions() {
      const rows = await app.deps.db.read
        .selectFrom('field_revisions')
        .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
        .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
        .select('gk_version')
        .where('entry_group_id', '=', place.g)
        .execute();
      return rows.map(({ gk_version }) => gk_version);
    },
    async grants() {
      const rows = await app.deps.db.read
        .selectFrom('group_grants')
        .select('gk_version')
        .where('entry_group_id', '=', place.g)
        .orderBy('gk_version')
        .execute();
      return rows.map(({ gk_version }) => gk_version);
    },
  };
}
