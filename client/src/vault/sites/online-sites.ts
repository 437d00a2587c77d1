/** Where entries may be offered: the opened rules of all links, and changes of them (docs/spec/crypto.md §10). */
import * as sites from '@passwordbroker/core/contract/entries/sites';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { AnswerError } from '../../transport/answers.ts';
import type { Http } from '../../transport/http.ts';
import { onlineReleases } from '../entries/online-reveals.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { SiteLink, Sites } from '../vault.ts';

/** Groups that are opened together share requests. */
const GROUPS_AT_ONCE = 100;
/** Answers of one reading; each has a thousand groups, or thousands of links. */
const MOST_ANSWERS = 1000;

interface KnownGroup {
  readonly mark: string;
  /** Null: it did not open, and is asked for again at the next reading. */
  readonly links: readonly SiteLink[] | null;
}

/** Rules stay in memory until the lock. */
export function onlineSites(http: Http, keyring: VaultKeyring, keys: OnlineKeys): Sites {
  const releases = onlineReleases(http, keyring, keys);
  const groups = new Map<string, KnownGroup>();
  let reading: Promise<void> | null = null;
  /** Of all groups; null: something has changed since. */
  let links: readonly SiteLink[] | null = null;
  let locks = 0;
  keyring.onLocked(() => {
    locks += 1;
    reading = null;
    groups.clear();
    links = null;
  });

  function known() {
    const byMark = new Map<string, string[]>();
    for (const [id, { mark }] of groups) byMark.set(mark, [...(byMark.get(mark) ?? []), id]);
    const named = [...byMark].flatMap(([mark, ids]) =>
      Array.from({ length: Math.ceil(ids.length / LIMITS.siteGroups) }, (_, at) => ({
        mark,
        entry_group_ids: ids.slice(at * LIMITS.siteGroups, (at + 1) * LIMITS.siteGroups),
      })),
    );
    return named.slice(0, LIMITS.siteMarks);
  }

  async function readAll(): Promise<void> {
    const before = locks;
    for (const [id, { links: own }] of groups) if (own === null) groups.delete(id);
    for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
      const answer = await http.call(sites.listAll, { body: { known: known() } });
      const opened = await openAll(answer.groups);
      if (locks !== before) throw new KeyringError({ code: 'locked' });
      const hasChanged = [...opened].some(([id, own]) => own !== null || groups.has(id));
      if (answer.gone.length > 0 || hasChanged) links = null;
      for (const id of answer.gone) groups.delete(id);
      for (const [id, own] of opened) groups.set(id, { mark: answer.mark, links: own });
      if (!answer.more) {
        for (const [id, group] of groups) groups.set(id, { ...group, mark: answer.mark });
        return;
      }
      if (answer.groups.length === 0) break;
    }
    throw new AnswerError();
  }

  async function openAll(
    listed: readonly { readonly entry_group_id: string; readonly rows: readonly sites.SiteRow[] }[],
  ) {
    const opened = new Map<string, readonly SiteLink[] | null>();
    for (let at = 0; at < listed.length; at += GROUPS_AT_ONCE) {
      const some = listed.slice(at, at + GROUPS_AT_ONCE);
      const rules = await Promise.all(some.map(({ entry_group_id, rows }) => openGroup(entry_group_id, rows)));
      for (const [index, { entry_group_id }] of some.entries()) opened.set(entry_group_id, rules[index] ?? null);
    }
    return opened;
  }

  /** Null: the group does not open, so its entries could not be revealed either. */
  async function openGroup(entryGroupId: string, rows: readonly sites.SiteRow[]): Promise<readonly SiteLink[] | null> {
    const sealed = rows.filter(({ site_sealed_base64 }) => site_sealed_base64 !== null);
    if (sealed.length === 0) return [];
    try {
      await openVersions(entryGroupId, sealed);
      const rules = await keyring.call('openSites', { entryGroupId, rows: sealed });
      return sealed.flatMap(({ entry_id: entryId, field_id: fieldId, entry_title: title, rev }, at) => {
        const opened = rules[at] ?? null;
        return opened === null ? [] : [{ entryGroupId, entryId, fieldId, title, rev, rules: opened }];
      });
    } catch (failure) {
      const isUnreadable = failure instanceof KeyringError && failure.code !== 'locked' && failure.code !== 'crashed';
      if (!isUnreadable) throw failure;
      return null;
    }
  }

  async function openVersions(groupId: string, rows: readonly Pick<sites.SiteRow, 'gk_version'>[]): Promise<void> {
    for (const version of new Set(rows.map(({ gk_version }) => gk_version))) await keys.open(groupId, version);
  }

  async function rowsOf(groupId: string, signal?: AbortSignal) {
    return http.call(sites.ofGroup, { params: { g: groupId }, signal });
  }

  const placeOf = (entryGroupId: string, { entry_id: entryId, field_id: fieldId, rev }: sites.SiteRow) =>
    ({ entryGroupId, entryId, fieldId, type: 'link', rev }) as const;

  async function store(groupId: string, row: sites.SiteRow, site_sealed: string): Promise<void> {
    const params = { g: groupId, e: row.entry_id, f: row.field_id };
    await http.call(sites.change, { params, body: { rev: row.rev, site_sealed } });
  }

  return {
    async read() {
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      reading ??= readAll().finally(() => (reading = null));
      await reading;
      return (links ??= [...groups.values()].flatMap((group) => group.links ?? []));
    },

    closedGroups: () => [...groups.values()].filter(({ links: own }) => own === null).length,

    async change({ entryGroupId, fieldId }, update) {
      const row = (await rowsOf(entryGroupId)).find(({ field_id }) => field_id === fieldId);
      if (row === undefined) throw new AppError('not_found');
      await openVersions(entryGroupId, [row]);
      const [before = null] = await keyring.call('openSites', { entryGroupId, rows: [row] });
      const rules: SiteRules = update(before ?? []);
      const place = placeOf(entryGroupId, row);
      await store(entryGroupId, row, await keyring.call('sealSite', { place, wrapped: row, rules }));
      return rules;
    },

    async unprepared(groupId, signal) {
      return (await rowsOf(groupId, signal)).filter(({ site_sealed_base64 }) => site_sealed_base64 === null).length;
    },

    async prepare(groupId, { signal, onProgress } = {}) {
      const rows = (await rowsOf(groupId, signal)).filter(({ site_sealed_base64 }) => site_sealed_base64 === null);
      let [done, prepared, others] = [0, 0, 0];
      while (done < rows.length) {
        signal?.throwIfAborted();
        const some = rows.slice(done, done + LIMITS.releasesAtOnce);
        const paths = some.map(({ entry_id, field_id, rev }) => ({
          entryGroupId: groupId,
          entryId: entry_id,
          field: { field_id, rev, type: 'link' as const },
        }));
        const envelopes = await releases.several(paths, { purpose: 'site' });
        for (const [at, envelope] of envelopes.entries()) {
          signal?.throwIfAborted();
          const row = { ...(some[at] as sites.SiteRow), rev: envelope.rev };
          const { siteSealed, isAddress } = await keyring.call('prepareSite', {
            place: placeOf(groupId, row),
            envelope,
          });
          if (await storeUnlessChanged(groupId, row, siteSealed)) {
            if (isAddress) prepared += 1;
            else others += 1;
          }
          done += 1;
          onProgress?.(done, rows.length);
        }
      }
      return { prepared, others };
    },
  };

  /** False: the link has been changed meanwhile, and the change has brought its rules. */
  async function storeUnlessChanged(groupId: string, row: sites.SiteRow, siteSealed: string): Promise<boolean> {
    try {
      await store(groupId, row, siteSealed);
      return true;
    } catch (failure) {
      if (failure instanceof AppError && (failure.code === 'revision_conflict' || failure.code === 'not_found'))
        return false;
      throw failure;
    }
  }
}
