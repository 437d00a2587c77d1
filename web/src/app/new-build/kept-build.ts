/**
 * The service worker keeps the client's files for times without network (ADR 9). A page of another build than the kept one goes on working
 * with files of its own build; it learns here that there is a newer one.
 */
import { registerServiceWorker } from '../../workers/page-workers.ts';

const LOOK_EVERY_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 5 * 60_000;

let isOutdated = false;
let isKeeping = false;
let looks = 0;
const listeners = new Set<() => void>();

/** Path of the script that this page was started with. */
function ownEntry(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  return script === null ? null : new URL(script.src).pathname;
}

function learn({ data }: MessageEvent<unknown>) {
  const { type, entry } = (data ?? {}) as { readonly type?: unknown; readonly entry?: unknown };
  if (type !== 'kept build' || typeof entry !== 'string') return;
  looks += 1;
  const look = looks;
  if (entry === ownEntry()) show(false);
  // After an upgrade the page is the new one, while the kept one is still the old one. A slow answer to an earlier look says nothing any more.
  else
    void isServed().then((isCurrent) => {
      if (look === looks) show(!isCurrent);
    });
}

function show(outdated: boolean) {
  isOutdated = outdated;
  for (const listener of listeners) listener();
}

/** Whether a new page would be of this build; without an answer there is nothing newer to be had. */
async function isServed(): Promise<boolean> {
  try {
    const page = await (await fetch('/index.html', { cache: 'no-store' })).text();
    return page.includes(`"${ownEntry() ?? ''}"`);
  } catch {
    return true;
  }
}

/** Looks for a newer build now and then: an open page would otherwise live for weeks without asking. */
function watch(registration: ServiceWorkerRegistration) {
  let lookedAt = Date.now();
  const look = () => {
    lookedAt = Date.now();
    // Without network there is nothing newer to be had.
    registration.update().catch(() => undefined);
  };
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - lookedAt > LOOK_AGAIN_MS) look();
  });
}

/** Begins to keep this client, once a page. A browser that cannot simply has no client without network. Never throws. */
export async function keepThisBuild(): Promise<void> {
  // In development files come from their sources, and none may be kept.
  if (isKeeping || !import.meta.env.PROD) return;
  isKeeping = true;
  try {
    const registration = await registerServiceWorker();
    if (registration === null) return;
    navigator.serviceWorker.addEventListener('message', learn);
    navigator.serviceWorker.startMessages();
    registration.active?.postMessage('which build');
    watch(registration);
  } catch {
    isKeeping = false;
  }
}

/** Whether a newer build than this page's is ready. */
export const newBuild = {
  isReady: () => isOutdated,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
