/** A zero-knowledge client of a server. */
import type { Platform } from './platform.ts';
import { createSignInPart, type SignInPart } from './sign-in-part.ts';
import { createVaultPart, type VaultHooks, type VaultPart } from './vault-part.ts';

export interface Client extends SignInPart, VaultPart {}

/** A page makes the two parts itself, because it loads the second one later. */
export function createClient(platform: Platform, hooks?: VaultHooks): Client {
  const signIn = createSignInPart(platform, {
    keyring: async () => vaultPart.keyring,
    offline: async () => vaultPart.offline,
  });
  const vaultPart = createVaultPart(platform, signIn, hooks);
  return { ...signIn, ...vaultPart };
}
