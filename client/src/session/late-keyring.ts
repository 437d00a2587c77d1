/** The keyring for signing in and out. It loads with the vault: before, there is nothing to lock. */
import type { KeyOwner, Keyring } from '../keyring/keyring.ts';

type Needed = Pick<Keyring, 'createAccount' | 'lock' | 'setOwner' | 'call'>;

export interface LateKeyring extends Needed {
  attach(keyring: Needed): void;
}

/** @param load resolves after `attach` */
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
