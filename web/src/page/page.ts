/** The composition root of a page: what the sign-in page needs. The rest loads later, with `vault.ts`. */
import { createSignInPart, type SignInPart } from '@passwordbroker/client/sign-in-part';
import { loadChunk } from '../lib/chunk.ts';
import { signInPlatform } from './sign-in-platform.ts';

const loadVault = () => loadChunk('vault', () => import('./vault.ts'));

export const signInPart = createSignInPart(signInPlatform, {
  keyring: async () => (await loadVault()).keyring,
  offline: async () => (await loadVault()).offline,
});
export const { serverClock, servers, session } = signInPart;
export const http: SignInPart['http'] = signInPart.http;
