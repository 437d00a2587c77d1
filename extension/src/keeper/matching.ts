/** Which entries may be offered on a page. Rules are opened once after unlocking and stay in memory until the lock. */
import type { EntryPath, SiteLink } from '@passwordbroker/client/vault/vault';
import {
  indexSites,
  isThisMachine,
  matchSite,
  needsHttps,
  type SiteIndex,
} from '@passwordbroker/core/domain/sites/match-site';
import { registrableDomain } from '@passwordbroker/core/domain/sites/registrable-domain';
import { siteAddressOf, siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { can, type TreeRole } from '@passwordbroker/core/domain/policy';
import { Refusal } from '../refusal.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { type Item, itemOf } from './entries.ts';
import type { KeeperClient } from './start-client.ts';

export interface Matches {
  readonly host: string;
  readonly exact: readonly Item[];
  /** Related, and not fillable with one click. */
  readonly sameDomain: readonly Item[];
  /** For https alone, while the page is not encrypted. */
  readonly httpsOnly: readonly Item[];
  /** Groups that did not open: what they hold is missing here. */
  readonly closedGroups: number;
}

/** How an entry stands to a page. */
export interface Fit {
  readonly isExact: boolean;
  readonly isHttpsOnly: boolean;
  /** Everybody on the way can read what is sent. */
  readonly isPlain: boolean;
  /** That the entry is kept for. */
  readonly hosts: readonly string[];
  /** Whether the person may keep it for this host, too. */
  readonly canKeep: boolean;
}

interface Opened {
  readonly links: readonly SiteLink[];
  readonly index: SiteIndex<SiteLink>;
  readonly closedGroups: number;
}

/** As many of each kind are shown. */
const MOST_SHOWN = 50;

export function matchingOperations({ keyring, vault }: Pick<KeeperClient, 'keyring' | 'vault'>) {
  let opened: Opened | null = null;
  keyring.onLocked(() => {
    opened = null;
  });
  // Ready when the popup asks; the popup tells of failures.
  keyring.onOpened(() => void rules().catch(() => undefined));

  async function rules(): Promise<Opened> {
    const sites = await vault.write?.sites();
    const links = (await sites?.read()) ?? [];
    const closedGroups = sites?.closedGroups() ?? 0;
    if (opened !== null && opened.links === links && opened.closedGroups === closedGroups) return opened;
    return (opened = { links, closedGroups, index: indexSites(links, registrableDomain) });
  }

  /** With the logins of the server's lists, in the order of titles; without entries that are gone. */
  async function itemsOf(links: readonly SiteLink[]): Promise<readonly Item[]> {
    const ids = [...new Set(links.map(({ entryId }) => entryId))];
    const items: Item[] = [];
    // Forged links do not count among those shown: more are asked for until enough are genuine.
    for (let at = 0; at < ids.length && items.length < MOST_SHOWN; at += MOST_SHOWN) {
      const rows = await vault.read.entriesById(ids.slice(at, at + MOST_SHOWN));
      items.push(...rows.map(itemOf).filter((item) => links.some((link) => isOf(link, item))));
    }
    return items.slice(0, MOST_SHOWN).toSorted((a, b) => a.title.localeCompare(b.title));
  }

  /** @throws Refusal */
  async function matchesIn({ index, closedGroups }: Opened, address: string): Promise<Matches> {
    const found = index.find(address);
    if (found === null) throw new Refusal('no_page', TEXTS.noPage);
    const [exact, sameDomain, httpsOnly] = await Promise.all([
      itemsOf(found.exact),
      itemsOf(found.same_domain),
      itemsOf(found.https_only),
    ]);
    const isNotExact = ({ entryId }: Item) => !exact.some((item) => item.entryId === entryId);
    return {
      host: new URL(address).host,
      exact,
      sameDomain: sameDomain.filter(isNotExact),
      httpsOnly: httpsOnly.filter(isNotExact),
      closedGroups,
    };
  }

  return {
    /** @param address of the tab, from the browser. @throws Refusal */
    async matches({ address }: { readonly address: string }): Promise<Matches> {
      // Mostly nothing has changed: the lists are asked for while the server says so.
      const known = opened;
      const early = known === null ? null : matchesIn(known, address);
      early?.catch(() => undefined);
      const now = await rules();
      return early !== null && now === known ? early : matchesIn(now, address);
    },

    /** Before anything is revealed. @throws Refusal */
    async fit({ entry, address }: { readonly entry: EntryPath; readonly address: string }): Promise<Fit> {
      const page = siteAddressOf(address);
      if (page === null) throw new Refusal('no_page', TEXTS.noPage);
      const own = (await rules()).links.filter((link) => isOf(link, entry));
      const isExact = own.some((link) => matchSite(link.rules, page, registrableDomain) === 'exact');
      const all = own.flatMap((link) => link.rules);
      return {
        isExact,
        isHttpsOnly: !isExact && needsHttps(all, page),
        isPlain: page.scheme === 'http' && !isThisMachine(page.host),
        hosts: [...new Set(all.flatMap((rule) => (rule.mode === 'never' ? [] : [rule.host])))],
        canKeep: can(roleIn(await vault.read.tree(), entry.entryGroupId), 'field.write'),
      };
    },

    /** From now on the entry fits pages of this host: a rule of its first link, or a link of its own. @throws AppError */
    async keepFor({ entry, address }: { readonly entry: EntryPath; readonly address: string }): Promise<void> {
      const { entryGroupId, entryId } = entry;
      const link = (await rules()).links.find((one) => isOf(one, entry));
      const sites = await vault.write?.sites();
      if (link !== undefined)
        await sites?.change(link, (before) => [
          ...before.filter((rule) => rule.mode !== 'never'),
          ...siteRulesOf(address),
        ]);
      else
        await vault.write?.createField(
          { entryGroupId, entryId },
          { type: 'link', title: '', value: new URL(address).origin },
        );
    },

    /** Whether a form may send to that origin without a question. */
    async isSameSite({ address, other }: { readonly address: string; readonly other: string }): Promise<boolean> {
      const [one, two] = [new URL(address).hostname, new URL(other).hostname];
      const domain = registrableDomain(one);
      return one === two || (domain !== null && domain === registrableDomain(two));
    },
  };
}

/** A member of another group can seal rules there for the id of any entry, and a server can show them. */
const isOf = (link: SiteLink, { entryGroupId, entryId }: EntryPath) =>
  link.entryGroupId === entryGroupId && link.entryId === entryId;

function roleIn(nodes: readonly TreeNode[], groupId: string): TreeRole | null {
  for (const node of nodes) {
    const role = node.entry_group_id === groupId ? node.role : roleIn(node.children, groupId);
    if (role !== null) return role;
  }
  return null;
}
