import { api, type BrowserTab } from './browser-api.ts';

/** The page that the person sees. */
export interface SeenTab {
  readonly tabId: number;
  readonly address: string;
  readonly title: string;
}

/** Null: a page that nothing can be filled on. The address comes from the browser. */
export async function seenTab(): Promise<SeenTab | null> {
  const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
  return seen(tab);
}

export function seen(tab: BrowserTab | undefined): SeenTab | null {
  const { id, url = '', title = '' } = tab ?? {};
  return id !== undefined && /^https?:/.test(url) ? { tabId: id, address: url, title } : null;
}
