/**
 * The policy `strict`: new passwords must meet it; people with weaker ones are asked to change
 * them, not locked out.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import * as system from '@passwordbroker/core/contract/site/system';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

type Client = Pick<SignedIn, 'call' | 'request'>;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

const set = (body: object) => ada.call(site.changeSettings, { body });
const askedToChange = async (person: Client) => (await person.call(session.me)).weak_password === true;

/** Sets Bob's account password and signs him in again. */
async function bobWith(password: string) {
  await change(bob, bob.password, password);
  const client = app.guest();
  await client.call(session.login, { body: { email: bob.email, password } });
  return client;
}

const change = (person: Client, from: string, to: string) =>
  person.call(credentials.changePassword, {
    body: { current_password: from, password: to, password_confirmation: to },
  });

describe('a new password', () => {
  test('has at least twelve characters and a score of three; both numbers can be raised, not lowered', async () => {
    await set({ password_policy: 'strict' });
    expect(await app.guest().call(system.setup)).toMatchObject({ password_min_length: 12, password_min_score: 3 });
    const texts = async (password: string) => {
      const refused = await change(bob, bob.password, password).catch((error: unknown) => error);
      return (refused as { errors?: Record<string, string[]> }).errors?.['password'] ?? null;
    };
    // Eleven strong characters, twelve weak ones.
    expect(await texts('xK9#vQ2!mTz')).toEqual(['The password must have at least 12 characters']);
    // A character outside the basic multilingual plane counts as one.
    expect(await texts('🦊9#vQ2!mTzp')).toEqual(['The password must have at least 12 characters']);
    expect(await texts('password1234')).toEqual(['This password is easy to guess. Choose a longer one.']);
    await set({ password_min_length: 20, password_min_score: 4 });
    expect(await texts('xK9#vQ2!mTz-Lw7&')).toEqual(['The password must have at least 20 characters']);
    for (const body of [{ password_min_length: 11 }, { password_min_length: 129 }, { password_min_score: 2 }]) {
      await expect(set(body)).rejects.toMatchObject({ code: 'validation' });
    }
    expect(await texts('xK9#vQ2!mTz-Lw7&-quay-violet')).toBeNull();
  });

  test('is not judged under the policy warn', async () => {
    await set({ password_min_length: 20, password_min_score: 4 });
    await change(bob, bob.password, 'abc');
  });
});

describe('an existing password', () => {
  test('is checked at the next sign-in: the person is signed in, and asked until the password is changed', async () => {
    const before = await bobWith('password1234');
    await set({ password_policy: 'strict' });
    // Present sessions are not checked before the next sign-in.
    expect(await askedToChange(before)).toBe(false);
    const again = app.guest();
    await again.call(session.login, { body: { email: bob.email, password: 'password1234' } });
    expect(await again.call(session.me)).toMatchObject({ message: 'loggedIn', weak_password: true });
    expect((await again.request({ path: '/system/api/setting/site' })).status).toBe(200);
    await change(again, 'password1234', 'lantern-moss-quay-7-violet');
    expect(await askedToChange(again)).toBe(false);
  });

  test('is checked for tokens too, which stay valid after the password is changed', async () => {
    await bobWith('password1234');
    await set({ password_policy: 'strict' });
    const body = { email: bob.email, password: 'password1234', token_is_required: true };
    const { token } = await app.guest().call(session.login, { body });
    const headers = { authorization: `Bearer ${token ?? ''}` };
    const me = async () => (await app.guest().request({ path: '/identity/api/me', headers })).json();
    expect(await me()).toMatchObject({ weak_password: true });
    const json = {
      current_password: 'password1234',
      password: 'lantern-moss-quay-7-violet',
      password_confirmation: 'lantern-moss-quay-7-violet',
    };
    const { method, path } = credentials.changePassword;
    const changed = await app.guest().request({ method, path, headers, json });
    expect(changed.status).toBe(200);
    expect(await me()).toMatchObject({ message: 'loggedIn' });
    expect((await me())['weak_password']).toBeUndefined();
  });

  test('is not questioned after the policy is set back to warn', async () => {
    await bobWith('password1234');
    await set({ password_policy: 'strict' });
    const again = app.guest();
    await again.call(session.login, { body: { email: bob.email, password: 'password1234' } });
    expect(await askedToChange(again)).toBe(true);
    await set({ password_policy: 'warn' });
    expect(await askedToChange(again)).toBe(false);
  });

  test('that meets the policy is not questioned until the policy is raised', async () => {
    const strong = await bobWith('lantern-moss-quay-7-violet');
    await set({ password_policy: 'strict' });
    await strong.call(session.login, { body: { email: bob.email, password: 'lantern-moss-quay-7-violet' } });
    expect(await askedToChange(strong)).toBe(false);
    await set({ password_min_length: 40 });
    await strong.call(session.login, { body: { email: bob.email, password: 'lantern-moss-quay-7-violet' } });
    expect(await askedToChange(strong)).toBe(true);
  });
});
