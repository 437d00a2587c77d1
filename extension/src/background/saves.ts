/** Offers to save: the sites where the person allowed them, and the sign-in that was used last. */
import { api, type Sender } from '../browser-api.ts';
import type { Call } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import { prescribed } from '../policy.ts';
import { ALL_SITES, sitePattern } from '../site-pattern.ts';

export const CAPTURED = 'saves.captured';
const SCRIPT = 'watch-saves.js';
const MARK = '1';
const NEVER = 'neverOffered';

interface Parts {
  readonly keeper: Call<KeeperOperations>;
  /** Whether the keeper runs: if not, nothing is unlocked. */
  readonly isStarted: () => Promise<boolean>;
}

/**
 * A permission for a site, other than the server's, is the person's wish for offers there. Stored besides: the sites that
 * the person left out of all.
 */
export function createSaves({ keeper, isStarted }: Parts) {
  /** Registered scripts have the pattern of their sites as id. */
  const registered = async () => (await api.scripting.getRegisteredContentScripts()).map(({ id }) => id);

  const leftOut = async (): Promise<readonly string[]> => {
    const { [NEVER]: patterns } = await api.storage.local.get([NEVER]);
    return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string') : [];
  };

  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: the browser tells of a permission while the popup asks for the same. */
  function register(pattern: string): Promise<void> {
    const next = last.then(() => registerNow(pattern));
    last = next.catch(() => undefined);
    return next;
  }

  async function registerNow(pattern: string): Promise<void> {
    const { server } = await keeper('status');
    const isOwn = server === null || pattern === sitePattern(server);
    if (isOwn || !(await prescribed()).mayOffer || (await registered()).includes(pattern)) return;
    const excludeMatches = pattern === ALL_SITES ? [sitePattern(server), ...(await leftOut())] : [];
    await api.scripting.registerContentScripts([
      { id: pattern, matches: [pattern], excludeMatches, js: [SCRIPT], runAt: 'document_start', allFrames: false },
    ]);
  }

  async function unregister(patterns: readonly string[]): Promise<void> {
    const known = await registered();
    const ids = patterns.filter((pattern) => known.includes(pattern));
    if (ids.length > 0) await api.scripting.unregisterContentScripts({ ids });
  }

  async function leaveOut(pattern: string, isOut: boolean): Promise<void> {
    const others = (await leftOut()).filter((one) => one !== pattern);
    await api.storage.local.set({ [NEVER]: isOut ? [...others, pattern] : others });
    await unregister([ALL_SITES]);
    await register(ALL_SITES);
  }

  const isForAll = async (pattern: string) => pattern.startsWith('https:') && (await registered()).includes(ALL_SITES);

  return {
    /** The permission is there: from the next loading of a page of the site its sent forms are noticed. */
    start: async ({ address }: { readonly address: string }): Promise<void> => {
      const pattern = sitePattern(address);
      if (await isForAll(pattern)) await leaveOut(pattern, false);
      else await register(pattern);
    },

    /** @returns whether the site has a permission of its own, which is to be given back */
    stop: async ({ address }: { readonly address: string }): Promise<boolean> => {
      const pattern = sitePattern(address);
      const isSingle = (await registered()).includes(pattern);
      await unregister([pattern]);
      if (await isForAll(pattern)) await leaveOut(pattern, true);
      return isSingle;
    },

    /** null: an administrator of computers does not allow offers. */
    isOffered: async ({ address }: { readonly address: string }): Promise<boolean | null> => {
      if (!(await prescribed()).mayOffer) return null;
      const pattern = sitePattern(address);
      if ((await registered()).includes(pattern)) return true;
      return (await isForAll(pattern)) && !(await leftOut()).includes(pattern);
    },

    /** Whether sign-ins of all sites are offered; null as above. */
    isOfferedOnAll: async () => ((await prescribed()).mayOffer ? (await registered()).includes(ALL_SITES) : null),

    /** The permission is there, or given back. */
    onAll: ({ isOn }: { readonly isOn: boolean }) => (isOn ? register(ALL_SITES) : unregister([ALL_SITES])),

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
      if (!(await isStarted()) || !(await prescribed()).mayOffer) return;
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
