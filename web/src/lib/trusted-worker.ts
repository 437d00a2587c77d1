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

/** Starts a module worker from a file of the build. @param name shown in the browser's tools */
export function trustedWorker(url: string, name: string): Worker {
  return new Worker(policy === undefined ? ownAddress(url) : policy.createScriptURL(url), { type: 'module', name });
}
