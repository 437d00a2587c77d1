/** A server with people, and before each test a newly opened vault of the first one. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type SignedIn, type TestApp, startTestApp } from '../../../server/src/testing/test-app.ts';
import type { VaultWrite } from '../vault/vault.ts';
import { type RealVault, vaultOf } from './real-vault.node.ts';

/** Call once per file, before its own hooks. */
export function withPeople<const Names extends readonly string[]>(
  names: Names,
  take: (app: TestApp, people: { [K in keyof Names]: SignedIn }) => void,
): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    const people: SignedIn[] = [];
    for (const name of names) people.push(await app.signUp(name));
    take(app, people as { [K in keyof Names]: SignedIn });
  });
  afterAll(() => app.stop());
}

/** Call once per file, after `withPeople`; `person` returns the vault's owner. */
export function withVault(person: () => SignedIn, take: (real: RealVault, write: VaultWrite) => void): void {
  beforeEach(async () => {
    const real = vaultOf(person());
    await real.keyring.unlock(person().masterPassword);
    if (real.vault.write === null) throw new Error('The online vault writes');
    take(real, real.vault.write);
  });
}
