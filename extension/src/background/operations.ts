/** What the background does for the popup and the options. */
import { api, type BrowserTab } from '../browser-api.ts';
import type { Call } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import { seen } from '../seen-tab.ts';
import { fill, fillNew, type Filling, type FillRequest, isOf, type NewPasswordRequest } from './filling.ts';
import { createInPage } from './in-page.ts';
import { startKeeperPage } from './keeper-page.ts';
import type { createSaves } from './saves.ts';

export type BackgroundOperations = ReturnType<typeof backgroundOperations>;

/** What the person typed into a form. */
export interface PageValues {
  readonly address: string;
  readonly title: string;
  readonly userName: string;
  readonly password: string;
  /** Fields for a new password. */
  readonly newPasswords: number;
}

export function backgroundOperations(keeper: Call<KeeperOperations>, saves: ReturnType<typeof createSaves>) {
  const inPage = createInPage(api.scripting);
  const parts = { inPage, keeper, tab: (tabId: number) => api.tabs.get(tabId) };

  return {
    keeperStarted: () => startKeeperPage(),

    /** Opens the page that asks for a passkey, as a child of the tab that the person sees. */
    async openUnlock(): Promise<void> {
      const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
      const opener = tab?.id === undefined ? {} : { openerTabId: tab.id };
      await api.tabs.create({ url: api.runtime.getURL('unlock.html'), ...opener });
    },

    fill: (request: FillRequest): Promise<Filling> => fill(parts, request),

    /** The form of the page with its values, at the person's click. Null: it has none. */
    async pageValues({ tabId }: { readonly tabId: number }): Promise<PageValues | null> {
      const { url: address = '' } = await api.tabs.get(tabId);
      const read = await inPage.read(tabId, { withValues: true });
      if (read === null || !isOf(read.reading, address)) return null;
      const { forms, choice, title } = read.reading;
      const withPassword = forms.filter(({ has }) => has.password || has.newPasswords > 0);
      const form = withPassword.find(({ id }) => id === choice) ?? withPassword[0];
      const { userName = '', password = '' } = form?.values ?? {};
      return { address, title, userName, password, newPasswords: form?.has.newPasswords ?? 0 };
    },

    fillNew: (request: NewPasswordRequest) => fillNew(parts, request),

    isOffered: saves.isOffered,
    startOffers: saves.start,
    stopOffers: saves.stop,
    isOfferedOnAll: saves.isOfferedOnAll,
    offerOnAll: saves.onAll,
    refreshMark: saves.refreshMark,

    /** The keyboard command: fills if exactly one entry matches; otherwise the popup opens. */
    async fillOnly(tab: BrowserTab | undefined): Promise<void> {
      const page = seen(tab);
      const { state } = await keeper('status');
      if (page !== null && state === 'open') {
        const { exact } = await keeper('matches', { address: page.address });
        const [only] = exact;
        if (only !== undefined && exact.length === 1) {
          const { result } = await fill(parts, { tabId: page.tabId, entry: only });
          if (result === 'filled') return;
        }
      }
      await api.action.openPopup?.().catch(() => undefined);
    },
  };
}
