/** Fixtures of every release: their people, numbers of rows, and how to open them. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import * as session from '@passwordbroker/core/contract/account/session';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { TEST_KDF } from '../../testing/test-person.ts';

export const RELEASES = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
export const PERSON = 'releaser';
export const ENTRIES = 10;
/** Three revisions of a password and a note in each entry; two revisions of a file in every tenth. */
export const WHOLE = { values: ENTRIES * 4, files: (ENTRIES / 10) * 2 };

/** Sorted by version. */
export const releasedVersions = (): readonly string[] =>
  readdirSync(RELEASES).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/**
 * Signs in as the person of the fixture with the keys stored in it, as cached keys differ on each machine.
 */
export async function signInReleased(app: TestApp): Promise<Pick<SignedIn, 'call' | 'keyring'>> {
  const client = app.guest();
  const [email, password] = [`${PERSON}@example.org`, `${PERSON} account password`];
  await client.call(session.login, { body: { email, password } });
  const bundle = await client.call(keyBundle);
  const keyring = await unlock({ bundle, masterPassword: `${PERSON} master PÄSSWORD ☂`, kdf: TEST_KDF });
  return Object.assign(client, { keyring });
}
