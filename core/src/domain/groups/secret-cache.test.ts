/** Caching of group secrets while a keyring is open (docs/spec/crypto.md §8). */
import { beforeAll, expect, test } from 'vitest';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { createGroupSecret, unwrapGroupSecret, wrapGroupSecret } from './grants.ts';
import { withSecretCache } from './secret-cache.ts';
import { type Keyring, keyringOf } from '../keyring/keyring.ts';

let [ada, bob]: TestPerson[] = [];
beforeAll(async () => {
  [ada, bob] = await somePeople(2);
});

/** A copy of the keyring that can be locked separately. */
const openedAgain = (): Keyring => keyringOf(ada!.keyring.identity, ada!.keyring.keys());

test('each grant opens to its own secret repeatedly; callers wipe a copy', async () => {
  const keyring = await withSecretCache(ada!.keyring);
  const secrets = [createGroupSecret(), createGroupSecret()];
  const wraps = await Promise.all(secrets.map((secret) => wrapGroupSecret(secret, ada!.keyring.identity)));
  for (let again = 0; again < 3; again += 1) {
    for (const [at, wrapped] of wraps.entries()) {
      const opened = await unwrapGroupSecret(keyring, wrapped);
      expect(opened).toEqual(secrets[at]);
      opened.fill(0);
    }
  }
});

test('unwraps a grant once; without a cache each time', async () => {
  const secret = createGroupSecret();
  const wrapped = await wrapGroupSecret(secret, ada!.keyring.identity);
  const keyring = openedAgain();
  const holding = await withSecretCache(keyring);
  const first = await unwrapGroupSecret(holding, wrapped);
  expect(first).toEqual(secret);
  // These keys cannot open it.
  expect(await unwrapGroupSecret({ ...bob!.keyring, secretCache: holding.secretCache! }, wrapped)).toEqual(secret);
  expect(await errorCodeOf(() => unwrapGroupSecret(bob!.keyring, wrapped))).toBe('grant');
  expect(keyring.secretCache).toBeUndefined();
  // Another wrap of the same secret is not cached; a changed wrap does not open.
  const other = await wrapGroupSecret(secret, ada!.keyring.identity);
  expect(await holding.secretCache?.find(other)).toBeNull();
  const changed = wrapped.slice();
  changed[7] = (changed[7] ?? 0) ^ 1;
  expect(await errorCodeOf(() => unwrapGroupSecret(holding, changed))).toBe('grant');
  expect(await holding.secretCache?.find(changed)).toBeNull();
});

test('a locked keyring returns nothing from the cache', async () => {
  const keyring = openedAgain();
  const holding = await withSecretCache(keyring);
  const wrapped = await wrapGroupSecret(createGroupSecret(), ada!.keyring.identity);
  await unwrapGroupSecret(holding, wrapped);
  const opening = unwrapGroupSecret(holding, wrapped);
  keyring.lock();
  expect(await errorCodeOf(() => opening)).toBe('locked');
  expect(await errorCodeOf(() => unwrapGroupSecret(holding, wrapped))).toBe('locked');
});

test('is cleared when it is full', async () => {
  const { secretCache } = await withSecretCache(ada!.keyring, 2);
  const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array([byte]));
  const secret = createGroupSecret();
  await secretCache!.add(first!, secret);
  await secretCache!.add(second!, secret);
  expect(await secretCache!.find(first!)).toEqual(secret);
  await secretCache!.add(third!, secret);
  const found = await Promise.all([first!, second!, third!].map((wrapped) => secretCache!.find(wrapped)));
  expect(found.map((one) => one !== null)).toEqual([false, false, true]);
});
