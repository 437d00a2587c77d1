import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signUpBody, startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import type { TestAnswer, TestClient } from '../../testing/test-client.ts';
import { testPerson } from '../../testing/test-person.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const register = (client: TestClient, user: unknown) =>
  client.request({ path: '/identity/api/registration', json: { user } });
const errorsOf = (answer: TestAnswer) => answer.json()['errors'];

describe('a sealed sign-up with invalid keys', () => {
  test.each([
    ['another person', { certificate: { user_id: '00000000-0000-4000-8000-000000000000' } }, 'certificate.user_id'],
    ['a later version', { certificate: { keyset_version: 2 } }, 'certificate.keyset_version'],
    ['a predecessor', { certificate: { prev_fpr: 'ab' } }, 'certificate.prev_fpr'],
    [
      'an invalid own signature',
      { certificate: { sig_base64: Buffer.alloc(64).toString('base64') } },
      'certificate.sig_base64',
    ],
    ['an invalid RSA key', { certificate: { rsa_spki_base64: 'AAAA' } }, 'certificate.sig_base64'],
    ['no keyset', { keyset: { blob_base64: 'AAAA' } }, 'keyset.blob_base64'],
    ['two password slots', { slots: 'twice' }, 'slots'],
    ['an unknown profile', { slots: { kdf: 'A0' } }, 'slots.0.kdf'],
    ['a short salt', { slots: { salt_base64: 'AAAA' } }, 'slots.0.salt_base64'],
    [
      'a salt with non-zero padding bits',
      { slots: { salt_base64: 'AAAAAAAAAAAAAAAAAAAAAB==' } },
      'slots.0.salt_base64',
    ],
    ['a salt with a line break', { slots: { salt_base64: 'AAAAAAAAAAAA\nAAAAAAAAAA==' } }, 'slots.0.salt_base64'],
    ['a malformed slot', { slots: { blob_base64: Buffer.alloc(116).toString('base64') } }, 'slots.0.blob_base64'],
  ])('%s is 422 and stores nothing', async (_name, change, member) => {
    const person = await testPerson('ada');
    const { keyset, certificate, slots } = structuredClone(person.bundle);
    const changed = change as { certificate?: object; keyset?: object; slots?: object | 'twice' };
    const slot = slots[0]!;
    const bundle = {
      keyset: { ...keyset, ...changed.keyset },
      certificate: { ...certificate, ...changed.certificate },
      slots: changed.slots === 'twice' ? [slot, { ...slot, slot_id: person.userId }] : [{ ...slot, ...changed.slots }],
    };
    const answer = await register(app.guest(), { ...signUpBody(person), key_bundle: bundle });
    expect([answer.status, answer.json()['code']]).toEqual([422, 'bad_sealed_value']);
    expect(Object.keys(errorsOf(answer) as object)).toEqual([`user.key_bundle.${member}`]);
    expect(await app.deps.db.read.selectFrom('users').selectAll().execute()).toEqual([]);
  });

  test('invalid base64', async () => {
    const person = await testPerson('ada');
    const bundle = { ...person.bundle, keyset: { version: 1, blob_base64: 'no base64!' } };
    const answer = await register(app.guest(), { ...signUpBody(person), key_bundle: bundle });
    expect([answer.status, answer.json()['code']]).toEqual([422, 'bad_sealed_value']);
  });

  test('both forms at once', async () => {
    const person = await testPerson('ada');
    const answer = await register(app.guest(), { ...signUpBody(person), master_password: 'x' });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      { 'user.master_password': ['The master password is not expected.'] },
    ]);
  });
});

test('the 61st key bundle in an hour is 429; each is recorded; no parameter names another person (T48)', async () => {
  const ada = await app.signUp('ada');
  const bob = await app.signUp('bob');
  for (let n = 0; n < 60; n += 1) {
    const answer = await bob.request({ path: `/identity/api/keyBundle?id=${ada.userId}&user_id=${ada.userId}` });
    expect(answer.json()['user_id']).toBe(bob.userId);
  }
  const refused = await bob.request({ path: '/identity/api/keyBundle' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
  const rows = await app.deps.db.read
    .selectFrom('audit_log')
    .select('audit_id')
    .where('event_type', '=', 'key_bundle_released')
    .where('user_id', '=', bob.userId)
    .execute();
  expect(rows).toHaveLength(60);
});
