/** Worker addresses under Trusted Types (policy `pb-worker`): only the files that the build has handed in, compared as whole addresses. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

export interface OwnWorkers {
  /** Starts a module worker. @param name shown in the browser's tools. @throws TypeError for any other file */
  start(url: string, name: string): Worker;
  /**
   * Registers the service worker of this origin; the browser asks for it anew each time, past every cache.
   * @returns null where the browser has none, or forbids it
   */
  register(url: string): Promise<ServiceWorkerRegistration | null>;
}

/** Creates the policy, so it may be called once in a page and once in each worker. @param files paths as the build writes them */
export function ownWorkers(files: readonly string[]): OwnWorkers {
  const hrefOf = (url: string) => new URL(url, location.origin).href;
  const ownAddress = (url: string): string => {
    const href = hrefOf(url);
    if (!files.some((file) => hrefOf(file) === href)) throw new TypeError('A worker is a file of our own build');
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
