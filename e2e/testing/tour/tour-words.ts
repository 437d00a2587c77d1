/** Texts for a tour over the screens, and the callbacks at each stop. */
import type { Page } from 'playwright-core';
import type { RunningServer } from '../server/server.ts';

/** Texts of users that the screens show. */
export interface Words {
  readonly person: string;
  readonly email: string;
  readonly colleague: string;
  readonly group: string;
  readonly child: string;
  readonly entry: string;
  readonly field: string;
  readonly login: string;
  readonly link: string;
  readonly fileName: string;
  readonly search: string;
}

export const ORDINARY: Words = {
  person: 'Mira Okafor',
  email: 'mira@example.org',
  colleague: 'Jun Park',
  group: 'Production',
  child: 'Databases',
  entry: 'Billing ledger',
  field: 'Root account',
  login: 'ledger_root',
  link: 'https://console.ledger.internal/primary',
  fileName: 'ledger.p12',
  search: 'ledger',
};

/** Called at each stop, once the content is visible. */
type Visit = (name: string) => Promise<void>;

export interface Tour {
  readonly page: Page;
  readonly server: RunningServer;
  readonly words: Words;
  readonly visit: Visit;
  /** Closes open dialogs and menus with Escape. */
  readonly leave: () => Promise<void>;
}
