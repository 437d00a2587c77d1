/** Groups, their members and keys. */
import { v7 } from 'uuid';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as templates from '@passwordbroker/core/contract/groups/templates';
import { sealedGroup } from '../../testing/sealed-place.ts';
import type { Caller } from './callers.ts';
import { type CallRequest, type Requests, about, each, sends, withMasterPassword } from './sending.ts';
import type { World } from './world.ts';

const inG = each((_caller, { g }) => ({ params: { g: g.g } }));
const likeG = (world: World) => world.groupLikeG();

const newGroup = (place: (world: World) => { parent?: string }) => ({
  sealed: each(async ({ person }, world) => ({ json: (await sealedGroup(person, place(world))).body })),
  plain: each((caller, world) => ({
    json: withMasterPassword(caller, { name: 'Group', parent_entry_group_id: place(world).parent }),
  })),
  withoutOne: each((_caller, world) => ({ json: { name: 'Group', parent_entry_group_id: place(world).parent } })),
});
const tree = newGroup(() => ({}));
const child = newGroup(({ g }) => ({ parent: g.g }));

const previewOf = (act: (world: World, caller: Caller) => object | Promise<object>): CallRequest =>
  each(async (caller, world) => ({ json: { act: await act(world, caller) } }));
const inGroupG = ({ g, people }: World) => ({ entry_group_ids: [g.g], user_ids: [people.Me.userId] });

/** As the admin's client sends it, for every caller. */
const newRole = (who: 'target' | 'Me', role: 'member' | 'moderator'): CallRequest =>
  about(
    async (world) => {
      const { g } = await likeG(world);
      const person = who === 'Me' ? world.people.Me : world.target;
      return { g, body: await world.as.bodyOf(world.people.Ad, g, person, role) };
    },
    ({ g, body }) => ({ params: { g }, json: body, proof: true }),
  );
const removalOf = (who: 'Me' | 'Mo') =>
  about(likeG, ({ g }, _caller, { people }) => ({ params: { g, u: people[who].userId } }));

async function groupThatOneLeft(world: World) {
  const { g } = await likeG(world);
  const { Ad, Me } = world.people;
  await world.as.remove(Ad, g, Me);
  const page = await Ad.call(members.formerMembers, { params: { g } });
  return { g, d: page.data[0]?.departure_id ?? '' };
}

const TEMPLATE = { name: 'Router', fields: [{ type: 'password' as const, title: 'Password', login: 'Login' }] };

async function groupWithTemplate(world: World) {
  const { g } = await likeG(world);
  const { template_id: t } = await world.people.Ad.call(templates.save, { params: { g, t: v7() }, body: TEMPLATE });
  return { g, t };
}

export const GROUP_REQUESTS: Requests = {
  'GET B/entryGroupsAsTree': sends(),
  'GET B/entryGroups': sends(),
  'POST B/entryGroups · a tree, sealed': tree.sealed,
  'POST B/entryGroups · a tree, with a master password': tree.plain,
  'POST B/entryGroups · a tree, without one': tree.withoutOne,
  'POST B/entryGroups · a child of g, sealed': child.sealed,
  'POST B/entryGroups · a child of g, with a master password': child.plain,
  'POST B/entryGroups · a child of g, without one': child.withoutOne,
  'GET G': inG,
  'GET G/history': inG,
  'GET G/users': inG,
  'GET G/roster': inG,
  'GET G/access': inG,
  'GET G/removal': inG,
  'POST B/access/preview · add-user': previewOf((world) => ({
    kind: 'add-user',
    entry_group_ids: [world.g.g],
    user_ids: [world.target.userId],
    role: 'member',
  })),
  'POST B/access/preview · remove-user': previewOf((world) => ({ kind: 'remove-user', ...inGroupG(world) })),
  'POST B/access/preview · change-role': previewOf((world) => ({
    kind: 'change-role',
    ...inGroupG(world),
    role: 'moderator',
  })),
  'POST B/access/preview · move-group': previewOf(({ g }) => ({ kind: 'move-group', entry_group_id: g.g })),
  'POST B/access/preview · move-group into g': previewOf(async ({ g, groupOf }, { person }) => ({
    kind: 'move-group',
    entry_group_id: await groupOf(person, 'admin'),
    target: g.g,
  })),
  'POST B/access/preview · move-entries from g': previewOf(({ g, home }) => ({
    kind: 'move-entries',
    entry_group_id: g.g,
    entries: [g.e],
    target: home.g,
  })),
  'POST B/access/preview · move-entries into g': previewOf(async ({ g, groupOf, entryOf }, { person }) => {
    const own = await groupOf(person, 'moderator');
    return { kind: 'move-entries', entry_group_id: own, entries: [await entryOf(own)], target: g.g };
  }),
  'POST B/access/preview · delete-group': previewOf(({ g }) => ({ kind: 'delete-group', entry_group_id: g.g })),
  'POST B/access/preview · delete-entries': previewOf(({ g }) => ({
    kind: 'delete-entries',
    entry_group_id: g.g,
    entries: [g.e],
  })),
  'GET G/templates': about(groupWithTemplate, ({ g }) => ({ params: { g } })),
  'PUT G/templates/:t': about(groupWithTemplate, (params) => ({ params, json: { ...TEMPLATE, name: 'Switch' } })),
  'DELETE G/templates/:t': about(groupWithTemplate, (params) => ({ params })),
  'PUT G': about(likeG, ({ g }) => ({ params: { g }, json: { name: 'Renamed' } })),
  'DELETE G': about(likeG, ({ g }) => ({ params: { g } })),
  'PATCH G · to the root': about(likeG, ({ g }) => ({ params: { g }, json: {} })),
  'PATCH G · into a group where admin': about(likeG, async ({ g }, { person }, { groupOf }) => ({
    params: { g },
    json: { entryGroupTarget: await groupOf(person, 'admin') },
  })),
  'PATCH G · another group into g': each(async ({ person }, { g, groupOf }) => ({
    params: { g: await groupOf(person, 'admin') },
    json: { entryGroupTarget: g.g },
  })),

  'POST G/users · sealed': newRole('target', 'member'),
  'POST G/users · another role, sealed': { ...newRole('Me', 'moderator'), status: () => 200 },
  'POST G/users · with a master password': about(likeG, ({ g }, caller, { target }) => ({
    params: { g },
    json: withMasterPassword(caller, { target_user_id: target.userId, role: 'member' }),
  })),
  'DELETE G/users/:u · a member': removalOf('Me'),
  'DELETE G/users/:u · a moderator': removalOf('Mo'),
  'DELETE G/users/:u · oneself': each(({ person }, { g }) => ({ params: { g: g.g, u: person.userId } })),
  'DELETE G/users/:u · another admin': each((_caller, { g, ad2 }) => ({ params: { g: g.g, u: ad2.userId } })),
  'POST G/rotate · sealed': about(
    async (world) => {
      const { g } = await likeG(world);
      return { g, body: (await world.as.rotation(world.people.Ad, g)).body };
    },
    ({ g, body }) => ({ params: { g }, json: body, proof: true }),
  ),
  'POST G/rotate · with a master password': about(likeG, ({ g }, caller) => ({
    params: { g },
    json: withMasterPassword(caller),
  })),
  'POST G/roster · sealed': about(
    async (world) => {
      const { g } = await likeG(world);
      return { g, body: await world.as.signing(world.people.Ad, g) };
    },
    ({ g, body }) => ({ params: { g }, json: body, proof: true }),
  ),
  'POST G/roster · with a master password': about(likeG, ({ g }, caller) => ({
    params: { g },
    json: withMasterPassword(caller),
  })),
  'POST G/trust': about(
    async (world) => {
      const { g } = await likeG(world);
      return { g, roster_hash: (await world.as.view(world.people.Ad, g)).shared.roster?.hash };
    },
    ({ g, roster_hash }, caller) => ({ params: { g }, json: withMasterPassword(caller, { roster_hash }) }),
  ),
  'GET G/rotate': each((_caller, { g }) => ({ params: { g: g.g }, query: '?limit=10', proof: true })),
  'POST G/rotate/rewraps': each((_caller, { g }) => ({
    params: { g: g.g },
    json: { gk_version: 1, rewraps: [] },
    proof: true,
  })),
  'GET B/departures': sends(),
  'GET B/groupUsers': each((_caller, { g }) => ({ query: `?entry_group_ids=${g.g}` })),
  'GET B/rosters': each((_caller, { g }) => ({ query: `?entry_group_ids=${g.g}` })),
  'GET B/names': each((_caller, { g }) => ({ query: `?ids=${g.g}` })),
  // Each operation is refused on its own: none is in a group of a caller who is not admin.
  'POST B/groupUsers': each((_caller, { g, target }) => ({
    json: { acts: [{ entry_group_id: g.g, target_user_id: target.userId, role: 'member', gk_version: 99 }] },
    proof: true,
  })),
  'GET G/departures': inG,
  'GET G/departures/:d': about(groupThatOneLeft, (params) => ({ params })),
  'GET G/users/:u/opened': each((_caller, { g, people }) => ({ params: { g: g.g, u: people.Me.userId } })),
};
