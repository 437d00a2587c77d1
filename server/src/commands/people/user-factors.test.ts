import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { guard, isIn, signInWith } from '../../identity/factors/testing/two-factors.ts';
import { EXIT } from '../command.ts';
import { runCommandLine } from '../run.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

async function factorsOf(...args: string[]) {
  const [said, told]: [string[], string[]] = [[], []];
  const secret = () => Promise.resolve('');
  const terminal = {
    say: (line: string) => void said.push(line),
    tell: (line: string) => void told.push(line),
    secret,
    knownSecret: secret,
  };
  return { code: await runCommandLine(['user', 'factors', ...args], app.environment, terminal), said, told };
}

test('the only site admin, without a factor and codes, gets in by the command line (I107)', async () => {
  expect(await factorsOf(ada.email, '--reset')).toEqual({
    code: EXIT.failed,
    said: [],
    told: ['ada@example.org has no second factor.'],
  });
  await guard(app, ada);
  expect((await factorsOf(ada.email)).said).toEqual([
    'state\tset',
    'authenticator app\tyes',
    'security keys\t0',
    'recovery codes left\t10',
    'needed from\tnot needed',
  ]);
  const { code, said, told } = await factorsOf(ada.email, '--reset');
  expect([code, told]).toEqual([
    EXIT.done,
    [expect.stringMatching(/^For ada@example\.org, until 20\S+Z\. Hand it over in person\.$/)],
  ]);
  expect(await isIn(ada)).toBe(false);
  const browser = await signInWith(app, ada, said[0] ?? '');
  await guard(app, browser);
  expect((await browser.request({ path: '/passwordBroker/api/entryGroups' })).status).toBe(200);
});
