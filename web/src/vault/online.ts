/** The vault on the server: lists and envelopes come over HTTP, the keyring opens and seals. */
import * as z from 'zod/mini';
import { endpoint } from '@passwordbroker/core/contract/endpoint';
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import * as operations from '@passwordbroker/core/contract/operations';
import { withGroups } from '../keyring/group-openings.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import { onlineKeys } from './online-keys.ts';
import { fieldParams } from './online-releases.ts';
import { listedMembers } from './listed-members.ts';
import { openManyGroups } from './many-groups.ts';
import { onlineMembers } from './online-members.ts';
import { onlinePeople } from './online-people.ts';
import { onlineReveals } from './online-reveals.ts';
import { onlineRotation } from './online-rotation.ts';
import { onlineWrites } from './online-writes.ts';
import { shownMembers } from './shown-members.ts';
import type { Vault } from './vault.ts';
import { readTrees } from './read-trees.ts';
import { keepRotations } from './rotations.ts';
import { keepUp, type UpkeepNotice } from './upkeep.ts';

const UNREAD_TREE = endpoint({
  ...groups.tree,
  answer: { status: 200, schema: z.object({ trees: z.array(z.unknown()) }) },
});

interface Options {
  /** Rotates by itself what is due whenever the vault is opened, and says what came of it. */
  readonly onKeptUp?: (notice: UpkeepNotice) => void;
}

export function onlineVault(http: Http, locks: Keyring, { onKeptUp }: Options = {}): Vault {
  const keyring = withGroups(locks);
  const many = openManyGroups(http);
  const lists = listedMembers(http, many);
  const keys = onlineKeys(http, keyring, many);
  const rotations = keepRotations();
  const rotate = onlineRotation(http, keyring, lists);
  const upkeep = keepUp({ http, keyring, rotations, rotate, tell: onKeptUp ?? (() => undefined) });
  if (onKeptUp !== undefined) upkeep.watch();
  keyring.onLocked(lists.clear);
  return {
    mode: 'online',
    read: {
      tree: async (signal) => readTrees((await http.call(UNREAD_TREE, { signal })).trees),
      treeAtHand: () => null,
      group: (g, signal) => http.call(groups.get, { params: { g }, signal }),
      examine: (g, signal) => keys.open(g, undefined, signal),
      members: shownMembers(keys, keyring, lists),
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
      purgePreview: (what, signal) => {
        if ('operationId' in what) return http.call(operations.purgePreview, { params: what, signal });
        if (what.groupId === null) return http.call(operations.trashPurgePreview, { signal });
        return http.call(operations.groupPurgePreview, { params: { g: what.groupId }, signal });
      },
      journal: (page, signal) => http.call(operations.journal, { query: { page }, signal }),
      ...onlineReveals(http, keyring),
      ...onlinePeople(http, keyring, lists),
    },
    write: {
      ...onlineWrites(http, keyring),
      members: { ...onlineMembers(http, keyring, { lists, many, rotate, onRemoved: upkeep.rotateSoon }), rotate },
      trust: null,
    },
    memberships: keyring.memberships,
    trust: null,
    rotations,
  };
}
