/** Entries of a file that look like existing ones, by names and by values. Loads with the first import into a group. */
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { ImportChoice, ImportWrites, Sites } from '../vault.ts';
import { onlineReleases, placeOf } from './online-reveals.ts';

const AT_ONCE = 8;

type Groups = NonNullable<ImportChoice['into']>['groups'];

interface Existing {
  readonly group: number | null;
  readonly title: string;
  readonly login: string | null;
  readonly hosts: readonly string[];
  readonly place: { readonly entryGroupId: string; readonly entryId: string };
}

interface Parts {
  readonly keys: OnlineKeys;
  readonly sites: () => Promise<Pick<Sites, 'read'>>;
}

const pathOf = (groupId: string, entryId: string) => `${groupId}/${entryId}`;

type Listed = Awaited<ReturnType<typeof listIn>>;

const listIn = (http: Http, g: string, signal?: AbortSignal) => http.call(entries.listAll, { params: { g }, signal });

/** For one file: entries of other groups are listed once, also when another target is chosen. */
export function importDuplicates(
  http: Http,
  keyring: VaultKeyring,
  { keys, sites }: Parts,
): Pick<ImportWrites, 'compare' | 'compareValues'> {
  const releases = onlineReleases(http, keyring, keys);

  const ofOthers = new Map<string, Listed>();

  /** Empty for a group that was trashed or left after the tree was read. */
  async function listOther(g: string, signal?: AbortSignal): Promise<Listed> {
    const listed =
      ofOthers.get(g) ??
      (await listIn(http, g, signal).catch((failure: unknown) => {
        if (failure instanceof AppError && (failure.code === 'not_found' || failure.code === 'forbidden')) return [];
        throw failure;
      }));
    ofOthers.set(g, listed);
    return listed;
  }

  /** Entries of these groups; `group` is the index of theirs. */
  async function entriesIn(
    ids: Groups,
    signal?: AbortSignal,
    list = (g: string) => listIn(http, g, signal),
  ): Promise<Existing[]> {
    const hosts = await siteHosts();
    const found: Existing[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      signal?.throwIfAborted();
      const lists = ids.slice(at, at + AT_ONCE).map(async (g, index) => {
        if (g === null) return [];
        const listed = await list(g);
        return listed.map(({ title, login, entry_id: entryId }) => ({
          group: at + index,
          title,
          login,
          hosts: hosts.get(pathOf(g, entryId)) ?? [],
          place: { entryGroupId: g, entryId },
        }));
      });
      found.push(...(await Promise.all(lists)).flat());
    }
    return found;
  }

  /** Entries of the other groups that the person may read. */
  async function entriesElsewhere(ids: Groups, signal?: AbortSignal) {
    const { trees } = await http.call(groups.tree, { signal });
    const inside = new Set(ids);
    const others: { id: string; name: string }[] = [];
    const visit = ({ entry_group_id: id, title: name, role, children }: TreeNode) => {
      if (can(role, 'group.read') && !inside.has(id)) others.push({ id, name });
      children.forEach(visit);
    };
    trees.forEach(visit);
    const found = await entriesIn(
      others.map(({ id }) => id),
      signal,
      (g) => listOther(g, signal),
    );
    return found.map((entry) => ({ ...entry, group: null, name: others[entry.group ?? -1]?.name ?? '' }));
  }

  /** Where entries may be offered, by group and entry: a member of another group can seal rules for any entry id. */
  async function siteHosts(): Promise<ReadonlyMap<string, readonly string[]>> {
    const hosts = new Map<string, string[]>();
    for (const { entryGroupId, entryId, rules } of await (await sites()).read()) {
      const path = pathOf(entryGroupId, entryId);
      for (const rule of rules) if (rule.mode !== 'never') hosts.set(path, [...(hosts.get(path) ?? []), rule.host]);
    }
    return hosts;
  }

  return {
    async compare(handle, ids, signal) {
      const inside = await entriesIn(ids, signal);
      const others = await entriesElsewhere(ids, signal);
      const input = { handle, existing: [...inside, ...others] };
      const { same, elsewhere } = await keyring.call('compareImport', input, { signal });
      return {
        same: new Set(same.map(({ at }) => at)),
        elsewhere: new Map(elsewhere.map(({ at, existing: index }) => [at, others[index - inside.length]?.name ?? ''])),
      };
    },

    async compareValues(handle, ids, entriesOf, { signal, onProgress }) {
      const existing = await entriesIn(ids, signal);
      const { same } = await keyring.call('compareImport', { handle, existing }, { signal });
      const wanted = new Set(entriesOf);
      const found = same.filter(({ at, existing: index }) => wanted.has(at) && index !== null);
      const pairs = [];
      for (let start = 0; start < found.length; start += AT_ONCE) {
        const some = found.slice(start, start + AT_ONCE).map(async ({ at, existing: index }) => {
          const place = existing[index ?? -1]?.place;
          if (place === undefined) return [];
          const params = { g: place.entryGroupId, e: place.entryId };
          return [{ at, ...place, fields: await http.call(fields.listAll, { params, signal }) }];
        });
        pairs.push(...(await Promise.all(some)).flat());
      }
      const { open, differing } = await keyring.call('pairImport', { handle, entries: pairs }, { signal });
      const titles = new Map<number, string[]>(pairs.map(({ at }) => [at, []]));
      const add = (some: typeof differing) => some.forEach(({ at, title }) => titles.get(at)?.push(title));
      add(differing);
      for (let done = 0; done < open.length;) {
        signal?.throwIfAborted();
        onProgress?.({ phase: 'comparing', done, total: open.length });
        const some = open.slice(done, done + LIMITS.releasesAtOnce);
        const envelopes = await releases.several(some, { purpose: 'compare' });
        const values = envelopes.flatMap((envelope, at) => {
          const path = some[at];
          return path === undefined ? [] : [{ place: placeOf(path, envelope.rev), envelope }];
        });
        add(await keyring.call('compareValues', { handle, values }, { signal }));
        done += envelopes.length;
      }
      return titles;
    },
  };
}
