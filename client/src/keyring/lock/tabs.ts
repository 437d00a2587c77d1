/**
 * Messages between tabs: a lock, a change of the session, or a change of a local copy applies to all
 * (docs/spec/threats.md W6).
 */

export const MESSAGES = ['locked', 'active', 'signed out', 'signed in', 'copy changed'] as const;
export type TabMessage = (typeof MESSAGES)[number];

export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}
