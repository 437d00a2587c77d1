/** The vault of this page for components. */
import { createContext, use } from 'react';
import { keyring } from '../keyring/keyring.ts';
import { http } from '../lib/http.ts';
import { onlineVault } from './online.ts';
import type { Vault } from './vault.ts';

export const VaultContext = createContext<Vault>(onlineVault(http, keyring));

export function useVault(): Vault {
  return use(VaultContext);
}
