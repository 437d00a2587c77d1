/** The code of pages, fetched before anybody asks for them: what is here when a link is pressed is shown at once, however slow the network. */
import { useEffect } from 'react';

type Load = () => Promise<unknown>;

/** In the order in which they are likely to be wanted. */
const PAGES: readonly (readonly [path: string, load: Load])[] = [
  ['/entryGroup/', () => import('../entry-groups/group-page.tsx')],
  ['/entrySearch/', () => import('../search/search-page.tsx')],
  ['/trash', () => import('../trash/trash-page.tsx')],
  ['/account', () => import('../account/account-page.tsx')],
  ['/leavers', () => import('../leavers/leavers-page.tsx')],
];
/** Of few people; theirs when they come near a link to it. */
const RARE: typeof PAGES = [
  ['/admin', () => Promise.all([import('../admin/admin-menu.tsx'), import('../admin/admin-page.tsx')])],
];

const idle = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const waiting = requestIdleCallback(() => resolve());
    signal.addEventListener('abort', () => cancelIdleCallback(waiting), { once: true });
  });

/** One after the other, so that what a person asks for meanwhile is not kept waiting. What does not arrive now is asked for again when it is needed, and complained about then. */
async function fetchInTurn(signal: AbortSignal): Promise<void> {
  for (const [, load] of PAGES) {
    await idle(signal);
    await load().catch(() => undefined);
  }
}

/** A link that has the pointer or the focus is pressed next. */
function fetchForLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  const path = link?.getAttribute('href') ?? '';
  const [, load] = [...PAGES, ...RARE].find(([begin]) => path.startsWith(begin)) ?? [];
  load?.().catch(() => undefined);
}

const COMES_NEAR = ['pointerover', 'focusin', 'pointerdown'] as const;

export function usePagesAhead(): void {
  useEffect(() => {
    const gone = new AbortController();
    void fetchInTurn(gone.signal);
    for (const event of COMES_NEAR) addEventListener(event, fetchForLink, { signal: gone.signal, passive: true });
    return () => gone.abort();
  }, []);
}
