/**
 * The keyring as signing in and out needs it. It is loaded with the vault, or with the first keys that somebody makes, and never with the sign-in page: where it
 * was not loaded, there is nothing to lock.
 */
import type { KeyOwner, Keyring } from '../keyring/keyring.ts';
import { loadChunk } from '../lib/chunk.ts';

type Needed = Pick<Keyring, 'createAccount' | 'lock' | 'setOwner' | 'call'>;

let loaded: Needed | null = null;
let owner: KeyOwner | null = null;

/** Told by the keyring of this page when it comes to life. */
export function attachKeyring(keyring: Needed): void {
  loaded = keyring;
  if (owner !== null) keyring.setOwner(owner);
}

const load = async (): Promise<Needed> =>
  loaded ?? (await loadChunk('keyring', () => import('../keyring/keyring.ts'))).keyring;

export const lateKeyring: Needed = {
  lock: () => loaded?.lock(),
  setOwner(next) {
    owner = next;
    loaded?.setOwner(next);
  },
  createAccount: async (account) => (await load()).createAccount(account),
  call: async (...call) => (await load()).call(...call),
};
