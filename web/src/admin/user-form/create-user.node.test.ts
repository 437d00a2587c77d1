import { search } from '@passwordbroker/core/contract/users/people';
import { login } from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { setup } from '@passwordbroker/core/contract/site/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { createUser, refusedLines, verdictOn } from './create-user.ts';

const WEN = {
  name: ' Wen Bao ',
  email: 'wen.bao@example.org',
  password: 'first passphrase 1',
  passwordConfirmation: 'first passphrase 1',
  masterPassword: 'lantern ☂ moss 7',
  masterPasswordConfirmation: 'lantern ☂ moss 7',
};

let app: TestApp;
let ada: SignedIn;
let real: RealVault;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  real = vaultOf(ada);
});
afterAll(async () => {
  await app.stop();
});

test('creates keys that the master password opens and that must be replaced; the server never sees it', async () => {
  const sent: string[] = [];
  real.before = async (request) => void sent.push(request);
  const user = await createUser(real.http, real.keyring, WEN);
  expect(user).toMatchObject({
    name: 'Wen Bao',
    email: WEN.email,
    is_admin: false,
    has_keys: true,
    must_rekey: true,
    mp_exposed_at: null,
  });
  expect(sent).toEqual(['POST /identity/api/registration']);
  const wen = app.guest();
  await wen.call(login, { body: { email: WEN.email, password: WEN.password } });
  await vaultOf(wen).keyring.unlock(WEN.masterPassword);
  const { data } = await ada.call(search, { query: { q: 'wen' } });
  expect(data).toHaveLength(1);
});

test('shows one line per field for an error of the server', async () => {
  const taken = await createUser(real.http, real.keyring, WEN).catch(refusedLines);
  expect(taken).toEqual(['This user name is already taken', 'This email is already taken']);
});

test('sends nothing while required fields are missing', async () => {
  const nothing = { ...WEN, name: '', email: 'wen', password: '', passwordConfirmation: '' };
  const refusals = ['User Name is empty', 'Incorrect email', 'Password is empty'];
  for (const password_policy of ['warn', 'strict'] as const) {
    expect(await verdictOn(nothing, () => Promise.resolve({ password_policy }))).toEqual({ refusals, warnings: [] });
  }
});

test("uses the site's current rules; strict refuses a password whose strength is unknown", async () => {
  const ask = () => real.http.call(setup);
  expect(await verdictOn(WEN, ask)).toEqual({ refusals: [], warnings: [] });
  await ada.call(site.changeSettings, { body: { password_policy: 'strict' } });
  // No worker runs in this test, so there is no estimate.
  expect(await verdictOn(WEN, ask)).toEqual({
    refusals: [expect.stringMatching(/^This site refuses passwords .* Try again/)],
    warnings: [],
  });
});
