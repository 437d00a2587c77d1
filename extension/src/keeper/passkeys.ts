/** Unlocking with a passkey. A page of the extension asks the authenticator: this one has no window. */
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { wipeAnswer } from '@passwordbroker/client/keyring/passkey-answer';
import { wordsToCompare } from './session.ts';
import type { KeeperClient } from './start-client.ts';

export interface UnlockPasskeys {
  /** Of the server. */
  readonly host: string;
  readonly email: string;
  /** Those of this host. */
  readonly passkeys: readonly { readonly credential_id: string; readonly rp_id: string }[];
}

export function passkeyOperations(client: KeeperClient) {
  const { http, keyring, servers, session } = client;

  return {
    /** The passkeys that open the vault here. None where the site does not allow them. */
    async unlockPasskeys(): Promise<UnlockPasskeys> {
      const host = new URL(servers.chosen() ?? 'http://localhost').hostname;
      const { passkeys = [] } = await http.call(keyBundle);
      const here = passkeys.filter(({ rp_id }) => rp_id === host);
      return {
        host,
        email: session.view().user?.email ?? '',
        passkeys: here.map(({ credential_id, rp_id }) => ({ credential_id, rp_id })),
      };
    },

    /**
     * @param prf 32 bytes, which are overwritten
     * @returns the words to compare, as `unlock`
     * @throws KeyringError 'other_passkey'
     */
    async unlockWithPasskey({
      credentialId,
      prf,
    }: {
      readonly credentialId: string;
      readonly prf: number[];
    }): Promise<readonly string[] | null> {
      const answer = { credentialId, prf: Uint8Array.from(prf).buffer };
      prf.fill(0);
      try {
        await keyring.unlock(async () => answer);
      } finally {
        wipeAnswer(answer);
      }
      return wordsToCompare(client);
    },
  };
}
