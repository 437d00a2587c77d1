/** Offers to save: the sites where the person allowed them, and the sign-in that was used last. */
import { api, type Sender } from '../browser-api.ts';
import type { Call } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import { sitePattern } from '../server-origin.ts';

export const CAPTURED = 'saves.captured';
const SCRIPT = 'watch-saves.js';
const MARK = '1';

interface Parts {
  readonly keeper: Call<KeeperOperations>;
  /** Whether the keeper runs: if not, nothing is unlocked. */
  readonly isStarted: () => Promise<boolean>;
}

/** A permission for a site, other than the server's, is the person's wish for offers there; nothing else is stored about it. */
export function createSaves({ keeper, isStarted }: Parts) {
  /** Registered scripts have the pattern of their site as id. */
  const registered = async () => (await api.scripting.getRegisteredContentScripts()).map(({ id }) => id);

  async function register(pattern: string): Promise<void> {
    const { server } = await keeper('status');
    if (server === null || pattern === sitePattern(server) || (await registered()).includes(pattern)) return;
    await api.scripting.registerContentScripts([
      { id: pattern, matches: [pattern], js: [SCRIPT], runAt: 'document_start', allFrames: false },
    ]);
  }

  async function unregister(patterns: readonly string[]): Promise<void> {
    const known = await registered();
    const ids = patterns.filter((pattern) => known.includes(pattern));
    if (ids.length > 0) await api.scripting.unregisterContentScripts({ ids });
  }

  return {
    /** The permission is there: from the next loading of a page of the site its sent forms are noticed. */
    start: ({ address }: { readonly address: string }) => register(sitePattern(address)),

    stop: ({ address }: { readonly address: string }) => unregister([sitePattern(address)]),

    isOffered: async ({ address }: { readonly address: string }) => (await registered()).includes(sitePattern(address)),

    /** Permissions are given and taken in the browser's own windows, too. */
    async onPermissions(added: readonly string[], removed: readonly string[]): Promise<void> {
      await unregister(removed);
      for (const pattern of added) await register(pattern);
    },

    /** An update of the extension ends all registrations. */
    async restore(): Promise<void> {
      const { origins = [] } = await api.permissions.getAll();
      for (const pattern of origins) await register(pattern);
    },

    /** A script in the top frame of a page says what was typed there. The address is the one that the browser tells. */
    async onCaptured(input: unknown, { tab, frameId, url = '' }: Sender): Promise<void> {
      if (tab?.id === undefined || frameId !== 0 || !/^https?:/.test(url) || !isSignIn(input)) return;
      if (!(await isStarted())) return;
      const { userName, password } = input;
      const isKept = await keeper('captured', {
        tabId: tab.id,
        address: url,
        title: tab.title ?? '',
        userName,
        password,
      });
      if (isKept) await showMark(true);
    },

    /** Shows on the button whether something waits to be saved. */
    refreshMark: async () => showMark((await isStarted()) && (await keeper('pendingSave')) !== null),
  };
}

const showMark = (isWaiting: boolean) => api.action.setBadgeText({ text: isWaiting ? MARK : '' });

/** Bounds of what a page can make the extension keep. */
const isSignIn = (input: unknown): input is { readonly userName: string; readonly password: string } => {
  if (typeof input !== 'object' || input === null) return false;
  const { userName, password } = input as Readonly<Record<string, unknown>>;
  const isShort = (value: unknown, most: number) => typeof value === 'string' && value.length <= most;
  return isShort(userName, 500) && isShort(password, 2_000) && password !== '';
};
