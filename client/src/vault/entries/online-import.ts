import { importFile as importEndpoint } from '@passwordbroker/core/contract/entries/import';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { SealedImport, SealedPart } from '../../keyring/imports/import-calls.ts';
import type { GroupPaths } from '../groups/group-paths.ts';
import type { OnlineKeys } from '../online-keys.ts';
import { type ListedMembers, shownKeysOf } from '../trust/listed-members.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import type { ImportChoice, ImportOptions, Imported, ImportWrites, Sites } from '../vault.ts';

/** The server is silent while it stores a large import. */
const STORING_SILENCE_MS = 300_000;

/** Others were faster: groups are opened and values compared again, once. */
const STALE = ['key_version_conflict', 'rewrap_set_mismatch', 'revision_conflict'] as const;

type Into = NonNullable<ImportChoice['into']>;

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: Pick<GroupPaths, 'pathOf' | 'forget'>;
  readonly lists: Pick<ListedMembers, 'read' | 'formerOf'>;
  readonly sync: Pick<TrustSync, 'soon'>;
  readonly sites: () => Promise<Pick<Sites, 'read'>>;
}

export function onlineImports(
  http: Http,
  keyring: VaultKeyring,
  { keys, paths, lists, sync, sites }: Parts,
): ImportWrites {
  /** Of the file that was read last. */
  let duplicates: Pick<ImportWrites, 'compare' | 'compareValues'> | null = null;
  const comparing = async () => {
    const { importDuplicates } = await import('./import-duplicates.ts');
    return (duplicates ??= importDuplicates(http, keyring, { keys, sites }));
  };
  /** What the worker has compared last; `paired`: those of `entries` with an existing entry to revise. */
  let compared: {
    handle: number;
    groups: Into['groups'];
    entries: ReadonlySet<number>;
    paired: ReadonlySet<number>;
  } | null = null;

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
      revise,
      paths: Object.fromEntries(await Promise.all(existing.map(pathOf))),
      listed: sameMembers ? Object.fromEntries(await Promise.all(existing.map(listOf))) : null,
    };
  }

  /** Those with an existing entry to revise; null unless the worker still has the comparison of these entries. */
  function pairedOf(handle: number, { groups: ids, revise }: Into): ReadonlySet<number> | null {
    if (compared?.handle !== handle || compared.groups.length !== ids.length) return null;
    const { groups: own, entries, paired } = compared;
    return own.every((id, at) => id === ids[at]) && revise.every((at) => entries.has(at)) ? paired : null;
  }

  const made: ImportWrites = {
    detect: (file) => keyring.call('detectImport', { file }),
    read(source, { signal, onProgress } = {}) {
      duplicates = null;
      return keyring.call('readImport', source, { signal, onProgress });
    },
    async freeName(base, signal) {
      const { trees } = await http.call(groups.tree, { signal });
      return freeName(
        base,
        trees.map(({ title }) => title),
      );
    },
    compare: async (...given) => (await comparing()).compare(...given),
    async compareValues(handle, ids, some, options) {
      compared = null;
      const titles = await (await comparing()).compareValues(handle, ids, some, options);
      compared = { handle, groups: ids, entries: new Set(some), paired: new Set(titles.keys()) };
      return titles;
    },
    async store(handle, { into, ...choice }, options = {}) {
      const { signal, onProgress } = options;
      let isAgain = false;
      /** Without entries that no existing one is left for: they are added. */
      const withPairs = async (given: Into): Promise<Into> => {
        if (given.revise.length === 0) return given;
        const paired =
          (isAgain ? null : pairedOf(handle, given)) ??
          new Set((await made.compareValues(handle, given.groups, given.revise, options)).keys());
        isAgain = true;
        return { ...given, revise: given.revise.filter((at) => paired.has(at)) };
      };
      const write = async () => {
        const targets = into === undefined ? {} : { into: await targetsOf(await withPairs(into), signal) };
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
      duplicates = null;
      // After a lock nothing is left to drop.
      if (keyring.isOpen()) keyring.call('dropImport', { handle }).catch(() => undefined);
    },
  };
  return made;
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
