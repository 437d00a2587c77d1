/** Entries and fields. */
import { v7 } from 'uuid';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { nextRevision } from '../../testing/next-revision.ts';
import { createSealedPlace, sealedField } from '../../testing/sealed-place.ts';
import type { Caller } from './callers.ts';
import { type CallRequest, type Requests, about, each, withMasterPassword } from './sending.ts';
import type { FieldPlace, World } from './world.ts';

const ids = ({ g, e, f, logId }: FieldPlace) => ({ g, e, f, logId });
const secret = each((_caller, world) => ({ params: ids(world.secret) }));
const file = each((_caller, world) => ({ params: ids(world.file) }));
const inG = (query?: string): CallRequest =>
  each((_caller, { g }) => ({ params: { g: g.g, e: g.e }, ...(query === undefined ? {} : { query }) }));

const freshEntry = async (world: World) => ({ g: world.g.g, e: await world.entryOf(world.g.g) });
/** The members for rewrapped keys of the target; the entry has no keys. */
const sealedMove = (entryGroupTarget: string) => ({ entryGroupTarget, target_gk_version: 1, rewraps: [] });

/** A group with an entry, where the caller is moderator and has the key. */
async function ownGroup({ actor, person }: Caller, { app, people }: World): Promise<{ g: string; e: string }> {
  const maker = actor === 'An' || actor === 'Ex' ? people.Ad : actor === 'Sv' ? people.Ou : people[actor];
  const { g, e } = await createSealedPlace(maker);
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('group_members')
      .set({ role: 'moderator' })
      .where('entry_group_id', '=', g)
      .where('user_id', '=', person.userId)
      .execute(),
  );
  return { g, e };
}

async function freshLink({ g, people }: World) {
  const link = { type: 'link', title: 'URL', value: utf8('https://example.org') } as const;
  const body = await sealedField(g, link);
  await people.Ad.call(fields.create, { params: { g: g.g, e: g.e }, body });
  return { params: { g: g.g, e: g.e, f: body.field_id }, json: { rev: 1, site_sealed: body.site_sealed ?? '' } };
}

export const FIELD_REQUESTS: Requests = {
  'POST B/releases': each((_caller, { secret: { g, e, f } }) => ({
    json: { purpose: 'show', fields: [{ entry_group_id: g, entry_id: e, field_id: f }] },
    proof: true,
  })),
  'GET G/entries': inG(),
  'GET E': inG(),
  'POST G/entries': each((_caller, { g }) => ({ params: { g: g.g }, json: { title: 'New' } })),
  'PUT E': about(freshEntry, (params) => ({ params, json: { title: 'Renamed' } })),
  'PUT E/marks': about(freshEntry, (params) => ({ params, json: { tags: ['Marked'], icon: 'key' } })),
  'DELETE E': about(freshEntry, (params) => ({ params })),
  'PATCH E · sealed': about(freshEntry, (params, _caller, { home }) => ({
    params,
    json: sealedMove(home.g),
    proof: true,
  })),
  'PATCH E · with a master password': about(freshEntry, (params, caller, { home }) => ({
    params,
    json: withMasterPassword(caller, { entryGroupTarget: home.g }),
  })),
  'PATCH E · into g, sealed': each(async (caller, world) => ({
    params: await ownGroup(caller, world),
    json: sealedMove(world.g.g),
    proof: true,
  })),
  'POST G/entries/bulkEdit/delete': about(freshEntry, ({ g, e }) => ({ params: { g }, json: { entries: [e] } })),
  'POST G/entries/bulkEdit/wraps': each((_caller, { g }) => ({
    params: { g: g.g },
    json: { entries: [g.e] },
    proof: true,
  })),
  'POST G/entries/bulkEdit/move · sealed': about(freshEntry, ({ g, e }, _caller, { home }) => ({
    params: { g },
    json: { entries: [e], ...sealedMove(home.g) },
    proof: true,
  })),
  'POST G/entries/bulkEdit/move · with a master password': about(freshEntry, ({ g, e }, caller, { home }) => ({
    params: { g },
    json: withMasterPassword(caller, { entries: [e], entryGroupTarget: home.g }),
  })),
  'POST G/entries/bulkEdit/move · into g, sealed': each(async (caller, world) => {
    const { g, e } = await ownGroup(caller, world);
    return { params: { g }, json: { entries: [e], ...sealedMove(world.g.g) }, proof: true };
  }),
  'POST G/entries/bulkEdit/move · into g, with a master password': each(async (caller, world) => {
    const { g, e } = await ownGroup(caller, world);
    return { params: { g }, json: withMasterPassword(caller, { entries: [e], entryGroupTarget: world.g.g }) };
  }),
  'GET B/entries': each((_caller, { g }) => ({ query: `?entry_ids=${g.e}` })),
  'GET B/tags': each(() => ({ query: '?q=canary' })),
  'POST B/resolve': each((_caller, { g }) => ({
    json: { refs: [{ groups: [`id:${g.g}`], entry: `id:${g.e}`, field: 'password' }] },
  })),
  'GET B/entrySearch': each(() => ({ query: '?q=canary&perPage=100' })),

  'GET E/fields': inG(),
  'GET E/seenBy': inG(),
  'GET F': secret,
  'GET G/sites': about(freshLink, ({ params }) => ({ params })),
  'POST B/sites': about(freshLink, () => ({ json: { known: [] } })),
  'PUT F/site': about(freshLink, ({ params, json }) => ({ params, json, proof: true })),
  'GET F/history': secret,
  'GET F/envelope': secret,
  'GET F/history/:logId/envelope': secret,
  'GET F/file': file,
  'GET F/history/:logId/file': file,
  'POST F/decrypted': each((caller, world) => ({ params: ids(world.secret), json: withMasterPassword(caller) })),
  'POST F/history/:logId/decrypted': each((caller, world) => ({
    params: ids(world.secret),
    json: withMasterPassword(caller),
  })),
  'POST E/fields · sealed': about(
    ({ g }) => sealedField(g),
    (json, _caller, { g }) => ({ params: { g: g.g, e: g.e }, json }),
  ),
  'POST E/fields · with a master password': each((caller, { g }) => ({
    params: { g: g.g, e: g.e },
    json: withMasterPassword(caller, { field_id: v7(), type: 'note', title: 'note', value: 'x' }),
  })),
  'PUT F · sealed': about(
    async (world) => {
      const place = await world.freshField();
      const content = { type: 'password', title: 'T', login: 'l', value: utf8('second') } as const;
      const body = await nextRevision({ ...world.g, e: place.e }, { fieldId: place.f, baseRev: 1 }, content);
      return { place, body };
    },
    ({ place, body }) => ({ params: ids(place), json: body }),
  ),
  'PUT F · with a master password': about(
    (world) => world.freshField(),
    (place, caller) => ({ params: ids(place), json: withMasterPassword(caller, { value: 'second' }) }),
  ),
  'DELETE F · sealed': about(
    (world) => world.freshField(),
    (place) => ({ params: ids(place), json: {}, proof: true }),
  ),
  'DELETE F · with a master password': about(
    (world) => world.freshField(),
    (place, caller) => ({ params: ids(place), json: withMasterPassword(caller) }),
  ),
};
