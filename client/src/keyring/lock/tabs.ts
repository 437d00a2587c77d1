/** The other tabs of this browser: one locks, all lock; one changes who is signed in, or what is kept of a local copy, all learn of it (docs/spec/threats.md W6). */

export const MESSAGES = ['locked', 'active', 'signed out', 'signed in', 'copy changed'] as const;
export type TabMessage = (typeof MESSAGES)[number];

export interface Tabs {
  tell(message: TabMessage): void;
  /** Any number of listeners, in the order in which they came. */
  listen(listener: (message: TabMessage) => void): void;
}
