/** Trusted Types policy `pb-worker`: allows only worker files of the build, compared by full URL. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

export interface OwnWorkers {
  /** @throws TypeError for a file outside the list */
  start(url: string, name: string): Worker;
  /** Fetched without caches; null if the browser does not support or allow it. */
  register(url: string): Promise<ServiceWorkerRegistration | null>;
}

/** Call it once in a page and once in each worker. @param files paths from the build */
export function ownWorkers(files: readonly string[]): OwnWorkers {
  const hrefOf = (url: string) => new URL(url, location.origin).href;
  const ownAddress = (url: string): string => {
    const href = hrefOf(url);
    if (!files.some((file) => hrefOf(file) === href))
      throw new TypeError('Refused: this URL is no worker file of our own build');
    return href;
  };
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('pb-worker', { createScriptURL: ownAddress });
  const addressOf = (url: string): string => policy?.createScriptURL(url) ?? ownAddress(url);
  return {
    start: (url, name) => new Worker(addressOf(url), { type: 'module', name }),
    async register(url) {
      if (!('serviceWorker' in navigator)) return null;
      const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
        addressOf(url),
        { scope: '/', updateViaCache: 'none' },
      );
      return registration ?? null;
    },
  };
}
