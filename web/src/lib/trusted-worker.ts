/** The one place that may turn a text into a worker's address (Trusted Types, policy `pb-worker`): files of our own build only. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

function ownAddress(url: string): string {
  const address = new URL(url, location.origin);
  if (address.origin !== location.origin) throw new TypeError('A worker comes from our own origin');
  return address.href;
}

const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
const policy = trustedTypes?.createPolicy('pb-worker', { createScriptURL: ownAddress });

const scriptAddress = (url: string): string => policy?.createScriptURL(url) ?? ownAddress(url);

/**
 * Registers the service worker of this page's origin; it is asked for anew each time, by no cache.
 * @returns null where the browser has none, or forbids it
 */
export async function trustedServiceWorker(url: string): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
    scriptAddress(url),
    { scope: '/', updateViaCache: 'none' },
  );
  return registration ?? null;
}

/** Starts a module worker from a file of the build. @param name shown in the browser's tools */
export function trustedWorker(url: string, name: string): Worker {
  return new Worker(scriptAddress(url), { type: 'module', name });
}
