/** What an address asks the page to do; the shortcuts and the share target of the installed app use it. */
export type Launch =
  | { readonly action: 'search' }
  /** With what was shared; both may be empty. */
  | { readonly action: 'new login'; readonly title: string; readonly link: string };

const MOST = { title: 255, link: 2048 } as const;
const WEB = /^https?:\/\/\S+$/i;
const NEW_LOGIN = '#new-login';

/**
 * Reads `#search` and `#new-login?title=&link=`; null otherwise. In the fragment, because the server must not
 * see what a person shares. Links other than `http` and `https` are dropped.
 */
export function launchOf(hash: string): Launch | null {
  if (hash === '#search') return { action: 'search' };
  if (hash !== NEW_LOGIN && !hash.startsWith(`${NEW_LOGIN}?`)) return null;
  const shared = new URLSearchParams(hash.slice(NEW_LOGIN.length + 1));
  const title = (shared.get('title') ?? '').trim().slice(0, MOST.title);
  const link = shared.get('link') ?? '';
  return { action: 'new login', title, link: link.length <= MOST.link && WEB.test(link) ? link : '' };
}

/** The address for what another app shares. Some apps put the link into the text. */
export function addressOfShared(form: Pick<FormData, 'get'>): string {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const link = [text('url'), ...text('text').split(/\s+/)].find((word) => WEB.test(word)) ?? '';
  return `/${NEW_LOGIN}?${new URLSearchParams({ title: text('title'), link })}`;
}
