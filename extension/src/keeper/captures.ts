/** Sign-ins that were just used on pages, in memory: one a tab, two minutes, until the vault is locked. */
import type { KeeperClient } from './start-client.ts';

const KEPT_MS = 120_000;

export interface PendingSave {
  readonly tabId: number;
  /** Of the page, from the browser. */
  readonly address: string;
  readonly title: string;
  readonly userName: string;
  readonly password: string;
}

export function captureOperations({ keyring, servers }: Pick<KeeperClient, 'keyring' | 'servers'>) {
  const byTab = new Map<number, PendingSave>();
  keyring.onLocked(() => byTab.clear());

  return {
    /** @returns whether it is kept: not while locked, and never for the server itself */
    async captured(pending: PendingSave): Promise<boolean> {
      if (!keyring.isOpen() || new URL(pending.address).origin === servers.chosen()) return false;
      // The last one is the first to be offered.
      byTab.delete(pending.tabId);
      byTab.set(pending.tabId, pending);
      setTimeout(() => {
        if (byTab.get(pending.tabId) === pending) byTab.delete(pending.tabId);
      }, KEPT_MS);
      return true;
    },

    /** The last one. */
    async pendingSave(): Promise<PendingSave | null> {
      return [...byTab.values()].at(-1) ?? null;
    },

    /** It was saved, or is not wanted. */
    async endSave({ tabId }: { readonly tabId: number }): Promise<void> {
      byTab.delete(tabId);
    },
  };
}
