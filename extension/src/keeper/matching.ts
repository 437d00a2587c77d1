/** Which entries may be offered on a page, and how an entry stands to one. */
import type { EntryPath } from '@passwordbroker/client/vault/vault';
import type { Item } from './entries.ts';

export interface Matches {
  readonly host: string;
  readonly exact: readonly Item[];
  /** Related, and not fillable with one click. */
  readonly sameDomain: readonly Item[];
  /** Kept for https, while the page is not encrypted. */
  readonly httpsOnly: readonly Item[];
}

/** How an entry stands to a page. */
export interface Fit {
  readonly isExact: boolean;
  readonly isHttpsOnly: boolean;
  /** Everybody on the way can read what is sent. */
  readonly isPlain: boolean;
  /** That the entry is kept for. */
  readonly hosts: readonly string[];
}

const isThisMachine = (host: string) => host === '127.0.0.1' || host === 'localhost' || host.endsWith('.localhost');

/** Links have no rules that say where they may be offered: each entry is asked about. */
export function matchingOperations() {
  return {
    /** @param address of the tab, from the browser */
    async matches({ address }: { readonly address: string }): Promise<Matches> {
      return { host: new URL(address).host, exact: [], sameDomain: [], httpsOnly: [] };
    },

    /** Before anything is revealed. */
    async fit({ address }: { readonly entry: EntryPath; readonly address: string }): Promise<Fit> {
      const { protocol, hostname } = new URL(address);
      const isPlain = protocol === 'http:' && !isThisMachine(hostname);
      return { isExact: false, isHttpsOnly: false, isPlain, hosts: [] };
    },

    /** Whether a form may send to that origin without a question. */
    async isSameSite({ address, other }: { readonly address: string; readonly other: string }): Promise<boolean> {
      return new URL(address).hostname === new URL(other).hostname;
    },
  };
}
