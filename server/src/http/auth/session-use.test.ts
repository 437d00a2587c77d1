import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { isOnPostgres } from '../../testing/test-database.ts';
import { MINUTE } from '../../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const lastSeen = async () => {
  const rows = await app.deps.db.read.selectFrom('sessions').select('last_seen_at').execute();
  return rows[0]?.last_seen_at;
};
const isIn = async () => (await ada.call(session.me)).message === 'loggedIn';

test('reads do not wait for a writer, and extend the session meanwhile', async () => {
  let finish: (() => void) | undefined;
  const writing = app.deps.db.exclusive(() => new Promise<void>((resolve) => (finish = resolve)));
  await expect.poll(() => finish, { timeout: 20_000 }).toBeDefined();
  const before = await lastSeen();
  for (let n = 0; n < 3; n += 1) {
    app.clock.advance(20 * MINUTE);
    expect(await isIn()).toBe(true);
  }
  expect(await lastSeen()).toBe(before);
  finish?.();
  await writing;
  app.clock.advance(2 * MINUTE);
  expect(await isIn()).toBe(true);
  await expect.poll(lastSeen, { timeout: 20_000 }).toBe(app.clock.now());
});

test('a session use that cannot be stored is logged and refuses nothing', async () => {
  await app.deps.db.transact((tx) =>
    isOnPostgres
      ? sql`create rule full_disk as on update to sessions do instead select 1 / 0`.execute(tx)
      : sql`create trigger full_disk before update on sessions begin select raise(fail, 'full'); end`.execute(tx),
  );
  app.clock.advance(2 * MINUTE);
  expect(await isIn()).toBe(true);
  await expect
    .poll(() => app.log.join('\n'), { timeout: 20_000 })
    .toContain('The last use of a session could not be stored');
  app.clock.advance(29 * MINUTE);
  expect(await isIn()).toBe(true);
});

test('pending session uses are stored before the shutdown', async () => {
  app.clock.advance(2 * MINUTE);
  expect(await isIn()).toBe(true);
  await app.restart();
  expect(await lastSeen()).toBe(app.clock.now());
});
