/** The code of pages, fetched before anybody asks for them: what is here when a link is pressed is shown at once, however slow the network. */
import { useEffect } from 'react';
import { fetchPage, LIKELY_PAGES } from './page-code.ts';

const idle = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const waiting = requestIdleCallback(() => resolve());
    signal.addEventListener('abort', () => cancelIdleCallback(waiting), { once: true });
  });

/** One after the other, so that what a person asks for meanwhile is not kept waiting. What does not arrive now is asked for again when it is needed, and complained about then. */
async function fetchInTurn(signal: AbortSignal): Promise<void> {
  for (const [, load] of LIKELY_PAGES) {
    await idle(signal);
    await load().catch(() => undefined);
  }
}

/** A link that has the pointer or the focus is pressed next. */
function fetchForLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  void fetchPage(link?.getAttribute('href') ?? '');
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
