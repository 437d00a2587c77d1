/** CM5: one agent, fifty commands at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import { newPb, type Pb } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';

const SECRET = 'q8-Rf3!wZ_47uM';

let app: TestApp;
let pb: Pb;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  const ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  pb = newPb();
  const login = ['login', await app.listen(), '--email', ada.email];
  await pb.onTerminal(login, [['Account password', ada.password]]);
  await pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
  await pb.run(['group', 'add', 'ops']);
  await pb.run(['add', 'ops/db', '--value-stdin'], { input: SECRET });
});
afterAll(async () => {
  await pb.run(['lock']);
  await app.stop();
  pb.remove();
});

test('CM5 fifty commands at once get their values, and each is on record', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => pb.run(['get', 'ops/db'])));
  expect(new Set(all.map(({ code, out, err }) => `${code} ${out} ${err}`))).toEqual(new Set([`0 ${SECRET} `]));
  const rows = JSON.parse((await pb.run(['history', 'ops/db', '--json'])).out) as { event_type: string }[];
  expect(rows.filter(({ event_type }) => event_type === 'decrypted')).toHaveLength(50);
});
