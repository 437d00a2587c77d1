/** The two parts that the popup calls. Loaded before its screens: no texts and no React here. */
import { api } from '../browser-api.ts';
import { callBackground, connectKeeper } from '../calls.ts';
import type { BackgroundOperations } from '../background/operations.ts';
import type { PendingSave } from '../keeper/captures.ts';
import type { Matches } from '../keeper/matching.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import type { Status } from '../keeper/session.ts';
import { seenTab, type SeenTab } from '../seen-tab.ts';
import { sitePattern } from '../site-pattern.ts';

export const background = callBackground<BackgroundOperations>();
export const keeper = connectKeeper<KeeperOperations>(() => background('keeperStarted'));

/** Forgets the server, and gives its permission back: it would count as the wish for offers to save there. */
export async function unpair(server: string | null): Promise<Status> {
  const status = await keeper('unpair');
  // Rejected for a permission that an administrator has given.
  if (server !== null) await api.permissions.remove({ origins: [sitePattern(server)] }).catch(() => false);
  return status;
}

/** The page that the person sees, and what is known about it. Each part comes when it is there. */
export interface PageLook {
  /** Null: a page that nothing can be filled on. */
  readonly tab: Promise<SeenTab | null>;
  readonly pending: Promise<PendingSave | null>;
  /** Rejected while the vault is locked. */
  readonly matches: Promise<Matches | null>;
}

export function lookAtPage(): PageLook {
  const tab = seenTab();
  const pending = keeper('pendingSave');
  const matches = tab.then((seen) => (seen === null ? null : keeper('matches', { address: seen.address })));
  for (const part of [tab, pending, matches]) part.catch(() => undefined);
  return { tab, pending, matches };
}

export interface Opening {
  readonly status: Promise<Status>;
  readonly look: PageLook;
}

let begun: Opening | null = null;

/** Asks for what the popup shows first, while its screens are still loading. */
export function beginOpening(): Opening {
  begun = { status: keeper('status'), look: lookAtPage() };
  begun.status.catch(() => undefined);
  return begun;
}

/** What `beginOpening` has asked for, the first time; asked for anew after that. */
export function takeOpening(): Opening {
  const opening = begun ?? beginOpening();
  begun = null;
  return opening;
}
