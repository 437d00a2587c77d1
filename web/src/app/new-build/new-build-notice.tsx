/** Offers to reload when a newer build is ready. Never reloads by itself: a form may be half filled. */
import { RefreshCw } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { Button } from '@passwordbroker/ui/actions/button';
import { registerServiceWorker } from '../../workers/page-workers.ts';

export function NewBuildNotice() {
  const isReady = useSyncExternalStore(newBuild.subscribe, newBuild.isReady);
  useEffect(() => {
    // When idle, after the page has loaded its own files.
    const waiting = requestIdleCallback(() => void keepThisBuild());
    return () => cancelIdleCallback(waiting);
  }, []);
  if (!isReady) return null;
  return (
    <Banner
      icon={<RefreshCw size={16} />}
      action={
        <Button size="sm" onPress={() => location.reload()}>
          {TEXTS.reloadNow}
        </Button>
      }
    >
      <b>{TEXTS.newBuild}</b> {TEXTS.newBuildHint}
    </Banner>
  );
}

/**
 * The service worker caches the client's files for offline use (ADR 9). A page of an older build keeps its
 * own
 * files and learns here that a newer build is ready.
 */
const LOOK_EVERY_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 5 * 60_000;

let isOutdated = false;
let isKeeping = false;
let looks = 0;
const listeners = new Set<() => void>();

/** Path of the script that started this page. */
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
  // After an upgrade the page is the newer one, and the cache still has the old build. Late answers to
  // earlier
  // checks are ignored.
  else
    void isServed().then((isCurrent) => {
      if (look === looks) show(!isCurrent);
    });
}

function show(outdated: boolean) {
  isOutdated = outdated;
  for (const listener of listeners) listener();
}

/** Whether the server serves the build of this page. True if it cannot be reached. */
async function isServed(): Promise<boolean> {
  try {
    const page = await (await fetch('/index.html', { cache: 'no-store' })).text();
    return page.includes(`"${ownEntry() ?? ''}"`);
  } catch {
    return true;
  }
}

/** A page may stay open for weeks, so it checks periodically. */
function watch(registration: ServiceWorkerRegistration) {
  let lookedAt = Date.now();
  const look = () => {
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  };
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - lookedAt > LOOK_AGAIN_MS) look();
  });
}

/** Registers the service worker once per page, where supported. Never throws. */
async function keepThisBuild(): Promise<void> {
  // In development the files come from source and must not be cached.
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

const newBuild = {
  isReady: () => isOutdated,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
