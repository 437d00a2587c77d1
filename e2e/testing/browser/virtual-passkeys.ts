/** Authenticators of Chromium (CDP domain WebAuthn), and the secret answers that they gave to the page. */
import type { CDPSession, Page } from 'playwright-core';

/** As Chromium gave it away. */
type Credential = object;

export interface VirtualAuthenticator {
  /** Forgets all its passkeys. */
  clear(): Promise<void>;
  /** Forgets them until the returned function is called. */
  lose(): Promise<() => Promise<void>>;
  /** Gives its passkeys to another one, with other PRF secrets: Chromium does not give those away. */
  copyTo(other: VirtualAuthenticator): Promise<void>;
  give(credentials: readonly Credential[]): Promise<void>;
  remove(): Promise<void>;
}

export interface VirtualPasskeys {
  /** It answers by itself, as a person would by touching it. */
  add(options: { readonly hasPrf: boolean }): Promise<VirtualAuthenticator>;
  /** PRF outputs so far. */
  outputs(): readonly Buffer[];
}

/** Call before the page loads. */
export async function virtualPasskeys(page: Page): Promise<VirtualPasskeys> {
  const outputs: Buffer[] = [];
  await page.exposeFunction('keepOutput', (hex: string) => void outputs.push(Buffer.from(hex, 'hex')));
  await page.addInitScript(() => {
    if (typeof CredentialsContainer !== 'function') return;
    const { keepOutput } = globalThis as unknown as { keepOutput: (hex: string) => void };
    for (const name of ['create', 'get'] as const) {
      const original = CredentialsContainer.prototype[name] as (options: object) => Promise<PublicKeyCredential | null>;
      CredentialsContainer.prototype[name] = async function watched(options: object) {
        const credential = await original.call(this, options);
        const first = credential?.getClientExtensionResults().prf?.results?.first;
        if (first instanceof ArrayBuffer) {
          keepOutput([...new Uint8Array(first)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
        }
        return credential;
      };
    }
  });
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  return {
    async add({ hasPrf }) {
      const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          hasPrf,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const credentials = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
      const give = async (given: readonly Credential[]) => {
        for (const credential of given)
          await session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
      };
      const clear = async () => void (await session.send('WebAuthn.clearCredentials', { authenticatorId }));
      return {
        clear,
        async lose() {
          const lost = await credentials();
          await clear();
          return () => give(lost);
        },
        copyTo: async (other) => other.give(await credentials()),
        give,
        remove: async () => void (await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })),
      };
    },
    outputs: () => outputs,
  };
}
