import { importFile as importEndpoint } from '@passwordbroker/core/contract/entries/import';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { SealedImport, SealedPart } from '../../keyring/imports/import-calls.ts';
import type { GroupPaths } from '../groups/group-paths.ts';
import type { OnlineKeys } from '../online-keys.ts';
import { type ListedMembers, shownKeysOf } from '../trust/listed-members.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import type { ImportChoice, ImportOptions, Imported, ImportWrites } from '../vault.ts';
import { onlineReleases, placeOf } from './online-reveals.ts';

/** The server is silent while it stores a large import. */
const STORING_SILENCE_MS = 300_000;

const LISTED_AT_ONCE = 8;
/** Others were faster: groups are opened and values compared again, once. */
const STALE = ['key_version_conflict', 'rewrap_set_mismatch', 'revision_conflict'] as const;

type Into = NonNullable<ImportChoice['into']>;

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: Pick<GroupPaths, 'pathOf' | 'forget'>;
  readonly lists: Pick<ListedMembers, 'read' | 'formerOf'>;
  readonly sync: Pick<TrustSync, 'soon'>;
}

export function onlineImports(http: Http, keyring: VaultKeyring, { keys, paths, lists, sync }: Parts): ImportWrites {
  const releases = onlineReleases(http, keyring, keys);

  async function send({ parts }: SealedImport, { signal, onProgress }: ImportOptions): Promise<Imported> {
    const total = parts.reduce((sum, { size }) => sum + size, 0);
    onProgress?.({ phase: 'uploading', done: 0, total });
    const forms = parts.map((part) => ({ form: formOf(part), size: part.size }));
    const [first] = forms;
    if (first === undefined || forms.length > 1) {
      const { sendParts } = await import('./send-parts.ts');
      return sendParts(http, forms, { silenceMs: STORING_SILENCE_MS, signal, onProgress });
    }
    return http.call(importEndpoint, {
      form: first.form,
      signal,
      silenceMs: STORING_SILENCE_MS,
      onSent: (done, total) => onProgress?.({ phase: done < total ? 'uploading' : 'storing', done, total }),
    });
  }

  /** Names and members of the existing groups. */
  async function targetsOf({ groups: ids, sameMembers, revise }: Into, signal?: AbortSignal) {
    const existing = ids.filter((id) => id !== null);
    const pathOf = async (id: string) => [id, await paths.pathOf(id)] as const;
    const listOf = async (id: string) =>
      [id, await shownKeysOf(http, await lists.read(id, signal), lists.formerOf)] as const;
    return {
      groups: ids,
      isRevising: revise.length > 0,
      paths: Object.fromEntries(await Promise.all(existing.map(pathOf))),
      listed: sameMembers ? Object.fromEntries(await Promise.all(existing.map(listOf))) : null,
    };
  }

  async function entriesOf(ids: Into['groups'], signal?: AbortSignal) {
    const listOf = async (g: string | null, group: number) => {
      if (g === null) return [];
      const listed = await http.call(entries.listAll, { params: { g }, signal });
      return listed.map(({ title, login, entry_id }) => ({
        group,
        title,
        login,
        place: { entryGroupId: g, entryId: entry_id },
      }));
    };
    return (await Promise.all(ids.map(listOf))).flat();
  }

  /** Compares the values of entries to revise with the present ones in the worker; the server records each. */
  async function compareValues(handle: number, { groups: ids, revise }: Into, { signal, onProgress }: ImportOptions) {
    const existing = await entriesOf(ids, signal);
    const { same } = await keyring.call('compareImport', { handle, existing }, { signal });
    const wanted = new Set(revise);
    const found = same.filter(({ at }) => wanted.has(at));
    const pairs = [];
    for (let start = 0; start < found.length; start += LISTED_AT_ONCE) {
      const some = found.slice(start, start + LISTED_AT_ONCE).map(async ({ at, existing: index }) => {
        const place = existing[index ?? -1]?.place;
        if (place === undefined) return [];
        const params = { g: place.entryGroupId, e: place.entryId };
        return [{ at, ...place, fields: await http.call(fields.listAll, { params, signal }) }];
      });
      pairs.push(...(await Promise.all(some)).flat());
    }
    const { open } = await keyring.call('pairImport', { handle, entries: pairs }, { signal });
    for (let done = 0; done < open.length;) {
      signal?.throwIfAborted();
      onProgress?.({ phase: 'comparing', done, total: open.length });
      const some = open.slice(done, done + LIMITS.releasesAtOnce);
      const envelopes = await releases.several(some, { purpose: 'compare' });
      const values = envelopes.flatMap((envelope, at) => {
        const path = some[at];
        return path === undefined ? [] : [{ place: placeOf(path, envelope.rev), envelope }];
      });
      await keyring.call('compareValues', { handle, values }, { signal });
      done += envelopes.length;
    }
  }

  return {
    detect: (file) => keyring.call('detectImport', { file }),
    read: (source, { signal, onProgress } = {}) => keyring.call('readImport', source, { signal, onProgress }),
    async freeName(base, signal) {
      const { trees } = await http.call(groups.tree, { signal });
      return freeName(
        base,
        trees.map(({ title }) => title),
      );
    },
    async compare(handle, ids, signal) {
      const existing = await entriesOf(ids, signal);
      const { same } = await keyring.call('compareImport', { handle, existing }, { signal });
      return new Set(same.map(({ at }) => at));
    },
    async store(handle, { into, ...choice }, options = {}) {
      const { signal, onProgress } = options;
      const write = async () => {
        if (into !== undefined && into.revise.length > 0) await compareValues(handle, into, options);
        const targets = into === undefined ? {} : { into: await targetsOf(into, signal) };
        const input = { handle, ...choice, ...targets };
        return send(await keyring.call('sealImport', input, { signal, onProgress }), options);
      };
      const existing = into?.groups.filter((id) => id !== null) ?? [];
      const imported = await keys.withCurrentKeys(existing, write, STALE);
      paths.forget();
      sync.soon();
      return imported;
    },
    drop(handle) {
      // After a lock nothing is left to drop.
      if (keyring.isOpen()) keyring.call('dropImport', { handle }).catch(() => undefined);
    },
  };
}

/** First of 'keepass', 'keepass (2)', … that no visible root has (docs/spec/decisions.md H7). */
export function freeName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(base)) return base;
  let count = 2;
  while (names.has(`${base} (${count})`)) count += 1;
  return `${base} (${count})`;
}

function formOf({ batch, bodies }: SealedPart): FormData {
  const form = new FormData();
  if (batch !== null) form.set('batch', batch);
  for (const { name, body } of bodies) form.set(name, body, 'body');
  return form;
}
