/** Which entries may be offered on a page. Nothing here knows the public suffix list: it is handed in. */
import { type SiteAddress, siteAddressOf, type SiteRule, type SiteRules } from './site-rules.ts';

/** The registrable domain of a host by the public suffix list; null for addresses, single labels and suffixes. */
export type RegistrableOf = (host: string) => string | null;

/**
 * `exact`: a rule matches. `https_only`: the page is http and the entry has a related rule for https, so it gets
 * nothing. `same_domain`: a rule has the same registrable domain, or another port or path of the same host.
 */
export type SiteMatch = 'exact' | 'https_only' | 'same_domain';

type Placed = Exclude<SiteRule, { mode: 'never' }>;

/** Null: the rules say nothing about the page. */
export function matchSite(rules: SiteRules, page: SiteAddress, registrableOf: RegistrableOf): SiteMatch | null {
  let best: SiteMatch | null = null;
  const placed = rules.filter((rule) => rule.mode !== 'never');
  // Nowhere is nowhere.
  if (placed.length < rules.length) return null;
  for (const rule of placed) {
    if (isMatch(rule, page, registrableOf)) return 'exact';
    if (!isRelated(rule.host, page.host, registrableOf)) continue;
    if (needsHttps([rule], page)) best = 'https_only';
    else best ??= 'same_domain';
  }
  return best;
}

/** Whether a page without encryption must not get the entry, also when a person has searched for it. */
export const needsHttps = (rules: SiteRules, page: Pick<SiteAddress, 'scheme'>) =>
  page.scheme === 'http' && rules.some((rule) => rule.mode !== 'never' && rule.scheme === 'https');

/** Loopback: nobody else is on the way. */
export const isThisMachine = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

function isMatch(rule: Placed, page: SiteAddress, registrableOf: RegistrableOf): boolean {
  if (rule.scheme !== page.scheme) return false;
  if (rule.mode === 'domain' && isSameDomain(rule.host, page.host, registrableOf)) return true;
  if (rule.port !== page.port || !isSameHost(rule.host, page.host, registrableOf)) return false;
  return rule.mode !== 'prefix' || isBelow(page.path, rule.path);
}

const isBelow = (path: string, prefix: string) =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);

function isSameDomain(host: string, other: string, registrableOf: RegistrableOf): boolean {
  const domain = registrableOf(host);
  return domain !== null && domain === registrableOf(other);
}

/** A `www.` below a public suffix is a site of its own, and stays. */
function isSameHost(host: string, other: string, registrableOf: RegistrableOf): boolean {
  return host === other || bareOf(host, registrableOf) === bareOf(other, registrableOf);
}

function bareOf(host: string, registrableOf: RegistrableOf): string {
  const bare = host.startsWith('www.') ? host.slice(4) : host;
  return bare !== host && registrableOf(bare) !== null ? bare : host;
}

const isRelated = (host: string, other: string, registrableOf: RegistrableOf) =>
  host === other || isSameDomain(host, other, registrableOf);

export type FoundSites<Row> = Readonly<Record<SiteMatch, readonly Row[]>>;

export interface SiteIndex<Row> {
  /**
   * @param address of the tab, from the browser
   * @returns rows in the order given; null for an address where nothing can be filled
   */
  find(address: string): FoundSites<Row> | null;
}

/** By registrable domain, or host where there is none: a page looks at the rows of its own only. */
export function indexSites<Row extends { readonly rules: SiteRules }>(
  rows: Iterable<Row>,
  registrableOf: RegistrableOf,
): SiteIndex<Row> {
  const index = new Map<string, Set<Row>>();
  const keyOf = (host: string) => registrableOf(host) ?? host;
  for (const row of rows) {
    for (const rule of row.rules) {
      if (rule.mode === 'never') continue;
      const key = keyOf(rule.host);
      const known = index.get(key);
      if (known === undefined) index.set(key, new Set([row]));
      else known.add(row);
    }
  }
  return {
    find(address) {
      const page = siteAddressOf(address);
      if (page === null) return null;
      const found: Record<SiteMatch, Row[]> = { exact: [], https_only: [], same_domain: [] };
      for (const row of index.get(keyOf(page.host)) ?? []) {
        const match = matchSite(row.rules, page, registrableOf);
        if (match !== null) found[match].push(row);
      }
      return found;
    },
  };
}
