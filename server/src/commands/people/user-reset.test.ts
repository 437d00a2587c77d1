import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import * as session from '@passwordbroker/core/contract/account/session';
import { joinGroup } from '../../testing/join-group.ts';
import { createSealedPlace } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { EXIT } from '../command.ts';
import { runCommandLine } from '../run.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

async function reset(...args: string[]) {
  const said: string[] = [];
  const told: string[] = [];
  const code = await runCommandLine(['user', 'reset', ...args], app.environment, {
    say: (line) => void said.push(line),
    tell: (line) => void told.push(line),
    secret: () => Promise.resolve(''),
    knownSecret: () => Promise.resolve(''),
  });
  return { code, said: said.join('\n'), told: told.join('\n') };
}

test('a reset needs a confirmation of each lost group, removes the keys and is logged', async () => {
  const own = await createSealedPlace(bob, { name: 'Own' });
  const team = await createSealedPlace(bob, { name: 'Team' });
  await joinGroup(app, team.g, ada, 'member');
  const confirmed = ['--confirm-group', own.g, '--confirm-group', team.g.toUpperCase()];

  for (const args of [[], ['--yes'], confirmed, ['--yes', '--confirm-group', own.g]]) {
    const { code, said, told } = await reset(bob.email, ...args);
    expect([code, said]).toEqual([EXIT.failed, '']);
    expect(told).toContain(`--confirm-group ${own.g}  "Own", 1 member(s)\n`);
    expect(told).toContain(`--confirm-group ${team.g}  "Team", 2 member(s)\n`);
  }
  expect(await bob.call(session.me)).toMatchObject({ message: 'loggedIn', user: { has_keys: true } });

  expect(await reset(bob.email, '--yes', ...confirmed)).toEqual({
    code: EXIT.done,
    said: 'The keys of bob@example.org are gone. New ones are made at the next sign-in.',
    told: '',
  });
  expect((await bob.call(session.me)).message).toBe('guest');
  const again = await app.signIn(bob);
  expect(await again.call(session.me)).toMatchObject({ user: { has_keys: false } });
  expect((await again.call(operations.trash)).total).toBe(0);

  const rows = (await ada.call(audit.adminLog, { query: { perPage: 10 } })).data.filter(({ login }) => login === null);
  expect(rows.map(({ event_type, target_id, address }) => [event_type, target_id, address])).toEqual([
    ['group_deleted', own.g, 'command line'],
    ['keys_reset', bob.userId, 'command line'],
  ]);
});

test('an unknown person is an error', async () => {
  expect((await reset('x@example.org', '--yes')).code).toBe(EXIT.failed);
});
