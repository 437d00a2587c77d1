/** The keyring as signing in and out needs it. It loads with the vault, never with the sign-in page: before, there is nothing to lock. */
import type { KeyOwner, Keyring } from '../keyring/keyring.ts';

type Needed = Pick<Keyring, 'createAccount' | 'lock' | 'setOwner' | 'call'>;

export interface LateKeyring extends Needed {
  /** Takes the keyring of the page, whatever made it load. */
  attach(keyring: Needed): void;
}

/** @param load resolves to the keyring that was attached meanwhile */
export function createLateKeyring(load: () => Promise<Needed>): LateKeyring {
  let loaded: Needed | null = null;
  let owner: KeyOwner | null = null;
  return {
    attach(keyring) {
      loaded = keyring;
      if (owner !== null) keyring.setOwner(owner);
    },
    lock: () => loaded?.lock(),
    setOwner(next) {
      owner = next;
      loaded?.setOwner(next);
    },
    createAccount: async (account) => (loaded ?? (await load())).createAccount(account),
    call: async (...call) => (loaded ?? (await load())).call(...call),
  };
}
