/** The vault on the server: lists and envelopes come over HTTP, the keyring opens and seals. */
import * as z from 'zod/mini';
import { endpoint } from '@passwordbroker/core/contract/endpoint';
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import * as operations from '@passwordbroker/core/contract/operations';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import { fieldParams } from './online-releases.ts';
import { onlinePeople } from './online-people.ts';
import { onlineReveals } from './online-reveals.ts';
import { onlineWrites } from './online-writes.ts';
import type { Vault } from './vault.ts';
import { readTrees } from './read-trees.ts';
import { keepRotations } from './rotations.ts';

const UNREAD_TREE = endpoint({
  ...groups.tree,
  answer: { status: 200, schema: z.object({ trees: z.array(z.unknown()) }) },
});

export function onlineVault(http: Http, keyring: Keyring): Vault {
  return {
    mode: 'online',
    read: {
      tree: async (signal) => readTrees((await http.call(UNREAD_TREE, { signal })).trees),
      group: (g, signal) => http.call(groups.get, { params: { g }, signal }),
      members: (g, signal) => http.call(groups.members, { params: { g }, signal }),
      entries: (g, signal) => http.call(entries.listAll, { params: { g }, signal }),
      fields: ({ entryGroupId, entryId }, signal) =>
        http.call(fields.listAll, { params: { g: entryGroupId, e: entryId }, signal }),
      search: ({ query, page, perPage }, signal) =>
        http.call(entries.search, { query: { q: query, page, perPage }, signal }),
      history: (path, signal, continued = {}) =>
        http.call(fields.history, { params: fieldParams(path), query: continued, signal }),
      groupHistory: (g, signal, continued = {}) =>
        http.call(groups.history, { params: { g }, query: continued, signal }),
      removal: (g, signal) => http.call(groups.removal, { params: { g }, signal }),
      trash: ({ page, groupId }, signal) =>
        groupId === null
          ? http.call(operations.trash, { query: { page }, signal })
          : http.call(operations.groupTrash, { params: { g: groupId }, query: { page }, signal }),
      journal: (page, signal) => http.call(operations.journal, { query: { page }, signal }),
      ...onlineReveals(http, keyring),
      ...onlinePeople(http),
    },
    write: onlineWrites(http, keyring),
    memberships: keyring.memberships,
    rotations: keepRotations(),
  };
}
