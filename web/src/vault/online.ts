/** The vault on the server: lists and envelopes come over HTTP, the keyring opens and seals. */
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import { onlineReveals } from './online-reveals.ts';
import { onlineWrites } from './online-writes.ts';
import type { Vault } from './vault.ts';

export function onlineVault(http: Http, keyring: Keyring): Vault {
  return {
    mode: 'online',
    read: {
      tree: async (signal) => (await http.call(groups.tree, { signal })).trees,
      group: (g, signal) => http.call(groups.get, { params: { g }, signal }),
      members: (g, signal) => http.call(groups.members, { params: { g }, signal }),
      entries: (g, signal) => http.call(entries.listAll, { params: { g }, signal }),
      fields: ({ entryGroupId, entryId }, signal) =>
        http.call(fields.listAll, { params: { g: entryGroupId, e: entryId }, signal }),
      search: ({ query, page, perPage }, signal) =>
        http.call(entries.search, { query: { q: query, page, perPage }, signal }),
      history: ({ entryGroupId, entryId, field }, signal) =>
        http.call(fields.history, { params: { g: entryGroupId, e: entryId, f: field.field_id }, signal }),
      ...onlineReveals(http, keyring),
    },
    write: onlineWrites(http, keyring),
  };
}
