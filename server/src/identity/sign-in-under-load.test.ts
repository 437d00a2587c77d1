/**
 * Sign-ins while another person floods the server with key derivations, with the real cost of both
 * passwords.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountPasswords, argon2idNative } from '../platform/passwords/argon2.ts';
import { signUpPlain } from '../server-crypto/testing/script.ts';
import type { EntryPath, Script } from '../server-crypto/testing/script.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import type { TestAnswer } from '../testing/test-client.ts';

const KDF = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
const AT_ONCE = 60;
const SIGN_INS = 6;

let app: TestApp;
let ada: Script;
let bob: Script;
let place: EntryPath & { readonly f: string };
beforeAll(async () => {
  app = await startTestApp({ accountPasswords: accountPasswords(), kdf: KDF });
  ada = await signUpPlain(app.guest(), 'ada');
  bob = await signUpPlain(app.guest(), 'bob', ada.client);
  const g = await bob.createGroup('Operations');
  const e = await bob.createEntry(g, 'Mail');
  const field = await bob.createField({ g, e }, { type: 'note', value: 'x' });
  place = { g, e, f: field.json<{ field_id: string }>().field_id };
});
afterAll(() => app.stop());

test('60 parallel reveals with the master password of one member do not block sign-ins of others (T148)', async () => {
  const reveals: TestAnswer[] = [];
  const signIns: TestAnswer[] = [];
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      reveals.push(await bob.decrypt(place));
      await wait(10);
    }
  };
  const looping = Array.from({ length: AT_ONCE }, loop);
  for (let n = 0; n < SIGN_INS; n += 1) {
    const body = { email: ada.email, password: ada.password };
    signIns.push(await app.guest().request({ path: '/identity/api/login', json: body, address: '192.0.2.9' }));
  }
  isOver = true;
  await Promise.all(looping);

  expect(signIns.map(({ status }) => status)).toEqual(Array.from({ length: SIGN_INS }, () => 200));
  // The member is served within the share of one person, and refused beyond it.
  expect([...new Set(reveals.map(({ status }) => status))].toSorted((a, b) => a - b)).toEqual([200, 503]);
  for (const { headers } of reveals.filter(({ status }) => status === 503)) expect(headers['retry-after']).toBe('2');
});
