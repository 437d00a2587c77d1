/** Never reloads by itself: a form may be half filled. */
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

const LOOK_EVERY_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 5 * 60_000;

let isOutdated = false;
let isKeeping = false;
let looks = 0;
const listeners = new Set<() => void>();

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
  // After an upgrade the cache may be older than the page. Late answers to earlier checks are ignored.
  else
    void isServed().then((isCurrent) => {
      if (look === looks) show(!isCurrent);
    });
}

function show(outdated: boolean) {
  isOutdated = outdated;
  for (const listener of listeners) listener();
}

/** Whether the server serves this page's build. True if it cannot be reached. */
async function isServed(): Promise<boolean> {
  try {
    const page = await (await fetch('/index.html', { cache: 'no-store' })).text();
    return page.includes(`"${ownEntry() ?? ''}"`);
  } catch {
    return true;
  }
}

/** A page may stay open for weeks. */
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

/**
 * Registers the service worker, which caches builds (ADR 9), once per page; an older page learns of a newer
 * build. Never throws.
 */
async function keepThisBuild(): Promise<void> {
  // In development files must not be cached.
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
