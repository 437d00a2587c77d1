import * as z from 'zod/mini';
import { endpoint } from '@passwordbroker/core/contract/endpoint';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { withGroups, type VaultKeyring } from '../keyring/groups/group-openings.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../transport/http.ts';
import { groupPaths, type GroupPaths } from './groups/group-paths.ts';
import { onlineKeys, type OnlineKeys } from './online-keys.ts';
import { fieldParams, onlineReveals } from './entries/online-reveals.ts';
import { listedMembers, type ListedMembers, memberDifferences } from './trust/listed-members.ts';
import { openManyGroups } from './groups/many-groups.ts';
import { onlineMembers, onlinePeople } from './groups/online-members.ts';
import { onlineRotation, onlineSigning } from './groups/online-rotation.ts';
import { onlineTrust, watchTrust } from './trust/online-trust.ts';
import type { Vault, VaultWrite, VaultRead } from './vault.ts';
import { keepRotations } from './groups/rotations.ts';
import { keepUp, type UpkeepNotice } from './upkeep.ts';
import { type SearchRow, TreeRow, type TreeNode } from '@passwordbroker/core/contract/entities';
import { AnswerError } from '../transport/answers.ts';
import { nextTurn } from '../transport/waiting.ts';
import { onlineEntries } from './entries/online-entries.ts';
import { onlineUndo } from './entries/online-undo.ts';
import { onlineFields } from './entries/online-fields.ts';
import { onlineGroups } from './groups/online-groups.ts';
import type { TrustSync } from './trust/trust-sync.ts';

const UNREAD_TREE = endpoint({
  ...groups.tree,
  answer: { status: 200, schema: z.object({ trees: z.array(z.unknown()) }) },
});

interface Options {
  /** If given, due rotations start whenever the vault is opened. */
  readonly onKeptUp?: (notice: UpkeepNotice) => void;
}

export function onlineVault(http: Http, locks: Keyring, { onKeptUp }: Options = {}): Vault {
  const keyring = withGroups(locks);
  const many = openManyGroups(http);
  const lists = listedMembers(http, many);
  const fetchTrees = treesOf(http);
  const paths = groupPaths(
    () => fetchTrees(),
    (groupId) => keyring.forgetGroup(groupId),
  );
  const keys = onlineKeys(http, keyring, { paths, many });
  const watch = watchTrust(http, keyring);
  const { sync } = watch;
  const rotations = keepRotations();
  const rotate = onlineRotation(http, keyring, { keys, lists, sync });
  const signAgain = onlineSigning(http, keyring, { keys, lists, sync });
  const upkeep = keepUp({ http, keyring, rotations, rotate, signAgain, tell: onKeptUp ?? (() => undefined) });
  if (onKeptUp !== undefined) upkeep.watch();
  keyring.onLocked(() => {
    lists.clear();
    paths.forget();
  });
  const parts = { keys, lists, many, sync, rotate, onRemoved: (groupId: string) => upkeep.rotateSoon(groupId) };
  const members = { ...onlineMembers(http, keyring, parts), rotate };
  return {
    mode: 'online',
    read: {
      async tree(signal) {
        const trees = await fetchTrees(signal);
        paths.setTrees(trees);
        return trees;
      },
      treeAtHand: () => null,
      group: (g, signal) => http.call(groups.get, { params: { g }, signal }),
      examine: (g, signal) => keys.open(g, undefined, signal),
      members: shownMembers(keys, keyring, lists),
      ...plainReads(http),
      fields: ({ entryGroupId, entryId }, signal) =>
        http.call(fields.listAll, { params: { g: entryGroupId, e: entryId }, signal }),
      history: (path, signal, continued = {}) =>
        http.call(fields.history, { params: fieldParams(path), query: continued, signal }),
      groupHistory: (g, signal, asked = {}) => http.call(groups.history, { params: { g }, query: asked, signal }),
      seenBy: ({ entryGroupId: g, entryId: e }, signal) => http.call(fields.seenBy, { params: { g, e }, signal }),
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
      ...onlineReveals(http, keyring, keys),
      ...onlinePeople(http, keyring, lists),
    },
    write: {
      ...onlineWrites(http, keyring, { keys, paths, lists, sync }),
      members,
      services: async () =>
        (await import('./service-accounts.ts')).serviceWrites(http, keyring, members, (groupId) =>
          upkeep.rotateSoon(groupId),
        ),
      trust: onlineTrust(http, keyring, { keys, paths, watch, rotate, signAgain, remove: members.remove }),
    },
    memberships: keyring.memberships,
    trust: watch,
    rotations,
  };
}

export const treesOf = (http: Http) => async (signal?: AbortSignal) =>
  readTrees((await http.call(UNREAD_TREE, { signal })).trees);

/** Lists that need no key. */
export const plainReads = (http: Http): Pick<VaultRead, 'entries' | 'search' | 'entriesById'> => ({
  entries: (g, signal) => http.call(entries.listAll, { params: { g }, signal }),
  search: ({ query, page, perPage }, signal) =>
    http.call(entries.search, { query: { q: query, page, perPage }, signal }),
  entriesById: async (entryIds, signal) => {
    const pages: Promise<readonly SearchRow[]>[] = [];
    for (let at = 0; at < entryIds.length; at += entries.MOST_BY_ID) {
      const entry_ids = entryIds.slice(at, at + entries.MOST_BY_ID);
      pages.push(http.call(entries.listById, { query: { entry_ids }, signal }));
    }
    return (await Promise.all(pages)).flat();
  },
});

/** Nodes per task: a few milliseconds. */
const PORTION = 100;

interface Waiting {
  readonly raw: unknown;
  readonly siblings: TreeNode[];
}

/** Validates trees without blocking the page. @throws AnswerError outside the contract */
export async function readTrees(raws: readonly unknown[]): Promise<TreeNode[]> {
  const trees: TreeNode[] = [];
  const waiting: Waiting[] = raws.map((raw) => ({ raw, siblings: trees }));
  let at = 0;
  // Breadth first, so siblings keep their order.
  for (const { raw, siblings } of waiting) {
    at += 1;
    if (at % PORTION === 0) await nextTurn();
    const read = z.safeParse(TreeRow, raw);
    if (!read.success) throw new AnswerError();
    const node: TreeNode = { ...read.data, children: [] };
    siblings.push(node);
    for (const child of read.data.children) waiting.push({ raw: child, siblings: node.children });
  }
  return trees;
}

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: GroupPaths;
  readonly lists: ListedMembers;
  readonly sync: TrustSync;
}

/** Its code loads with the first file. */
function lateImports(
  http: Http,
  keyring: VaultKeyring,
  parts: Parts & Pick<VaultWrite, 'sites'>,
): VaultWrite['imports'] {
  let made: VaultWrite['imports'] | null = null;
  const loaded = async () => {
    const { onlineImports } = await import('./entries/online-import.ts');
    return (made ??= onlineImports(http, keyring, parts));
  };
  return {
    detect: async (...given) => (await loaded()).detect(...given),
    read: async (...given) => (await loaded()).read(...given),
    freeName: async (...given) => (await loaded()).freeName(...given),
    compare: async (...given) => (await loaded()).compare(...given),
    compareValues: async (...given) => (await loaded()).compareValues(...given),
    store: async (...given) => (await loaded()).store(...given),
    drop: (handle) => void loaded().then((imports) => imports.drop(handle)),
  };
}

/** Values are sealed here. Ids are chosen here, because sealed values are bound to them. */
function onlineWrites(
  http: Http,
  keyring: VaultKeyring,
  parts: Parts,
): Omit<VaultWrite, 'members' | 'services' | 'trust'> {
  let loadedSites: ReturnType<VaultWrite['sites']> | null = null;
  const sites: VaultWrite['sites'] = async () => {
    loadedSites ??= import('./sites/online-sites.ts').then(({ onlineSites }) => onlineSites(http, keyring, parts.keys));
    // The next call retries.
    loadedSites.catch(() => (loadedSites = null));
    return loadedSites;
  };
  return {
    ...onlineGroups(http, keyring, parts),
    ...onlineEntries(http, keyring, parts.keys),
    ...onlineFields(http, keyring, parts.keys),
    imports: lateImports(http, keyring, { ...parts, sites }),
    undo: onlineUndo(http, keyring, parts.keys),
    exports: async () => (await import('./entries/online-export.ts')).onlineExports(http, keyring, parts.keys),
    sites,
    restore: (operationId, items) =>
      http.call(operations.restore, {
        params: { operationId },
        isProven: keyring.isOpen(),
        body: items === undefined ? {} : { items: [...items] },
      }),
    purge: async (what, items) => {
      const sent = { query: { items }, isProven: keyring.isOpen() };
      if ('operationId' in what) await http.call(operations.purge, { params: what, isProven: keyring.isOpen() });
      else if (what.groupId === null) await http.call(operations.emptyTrash, sent);
      else await http.call(operations.emptyGroupTrash, { params: { g: what.groupId }, ...sent });
    },
  };
}

function shownMembers(
  keys: Pick<OnlineKeys, 'open'>,
  keyring: VaultKeyring,
  lists: ListedMembers,
): VaultRead['members'] {
  return async (groupId, signal) => {
    const listed = await lists.read(groupId, signal);
    const { length } = memberDifferences(keyring.memberships.signed(groupId), listed);
    if (length === 0 || !keyring.isOpen()) return listed;
    keyring.forgetGroup(groupId);
    // The group's trust shows the failure.
    await keys.open(groupId, undefined, signal).catch(() => undefined);
    return listed;
  };
}
