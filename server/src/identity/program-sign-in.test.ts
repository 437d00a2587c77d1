/** A program is let in by a browser: to whom the token goes, how often, how long, and what is recorded (ADR 44). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { admitProgram, loginProgram } from '@passwordbroker/core/contract/account/programs';
import * as session from '@passwordbroker/core/contract/account/session';
import * as people from '@passwordbroker/core/contract/users/people';
import { newProgramSecret } from '@passwordbroker/core/domain/factors/program-link';
import { type SignedIn, startTestApp, type TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

interface Program {
  readonly secret: string;
  readonly code: string;
}

async function admitted(who = ada): Promise<Program> {
  const { secret, challenge } = await newProgramSecret();
  const { code } = await who.call(admitProgram, { body: { challenge } });
  return { secret, code };
}

const signIn = ({ secret, code }: Program, token_name = 'pb') =>
  app.guest().call(loginProgram, { body: { secret, code, token_name } });
const events = async () =>
  (await app.deps.db.read.selectFrom('audit_log').select('event_type').orderBy('audit_id').execute()).map(
    ({ event_type }) => event_type,
  );
const bearer = (token = '') => ({ headers: { authorization: `Bearer ${token}` } });
const wrong = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);

test('the program gets a token that is as fresh as the session; it is recorded, and sets no cookie', async () => {
  app.clock.advance(3 * MINUTE);
  const program = await admitted();
  expect(program.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const answer = await app.guest().request({
    path: '/identity/api/login/program',
    // As a person types it.
    json: { ...program, code: ` ${program.code.toLowerCase().replace('-', ' ')} `, token_name: 'pb' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toBe(undefined);
  const { token, user } = answer.json<{ token: string; user: { user_id: string } }>();
  expect(user.user_id).toBe(ada.userId);
  const me = await app.guest().call(session.me, bearer(token));
  const { sign_in } = await ada.call(session.me);
  expect(me).toMatchObject({ message: 'loggedIn', sign_in });
  expect((await events()).slice(-3)).toEqual(['program_admitted', 'login', 'token_created']);
  expect((await ada.call(credentials.tokens)).map(({ name }) => name)).toEqual(['pb']);
  // Seven minutes after the password it is no longer fresh, as the session.
  const fresh = { body: { token_name: 'x' }, ...bearer(token) };
  expect(await app.guest().call(credentials.createToken, fresh)).toMatchObject({ user: { user_id: ada.userId } });
  app.clock.advance(7 * MINUTE);
  await expect(app.guest().call(credentials.createToken, fresh)).rejects.toMatchObject({ code: 'reauth_required' });
});

describe('the token goes to nobody else', () => {
  test('neither the secret nor the code alone is enough; the fifth wrong code ends it', async () => {
    const program = await admitted();
    const { secret } = await newProgramSecret();
    await expect(signIn({ secret, code: program.code })).rejects.toMatchObject({ code: 'ticket_invalid' });
    for (let tries = 0; tries < 4; tries += 1)
      await expect(signIn({ ...program, code: wrong(program.code) })).rejects.toMatchObject({
        code: 'validation',
        errors: { code: ['The code is not right'] },
      });
    await expect(signIn({ ...program, code: 'short' })).rejects.toMatchObject({ code: 'validation' });
    await expect(signIn(program)).rejects.toMatchObject({ code: 'ticket_invalid' });
    expect(await ada.call(credentials.tokens)).toEqual([]);
  });

  test('once, also when two ask at the same time', async () => {
    const program = await admitted();
    const both = await Promise.allSettled([signIn(program, 'one'), signIn(program, 'two')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(signIn(program)).rejects.toMatchObject({ code: 'ticket_invalid' });
    expect(await ada.call(credentials.tokens)).toHaveLength(1);
  });

  test('within five minutes', async () => {
    const [early, late] = [await admitted(), await admitted()];
    app.clock.advance(5 * MINUTE - 1);
    expect(await signIn(early)).toMatchObject({ token: expect.any(String) });
    app.clock.advance(1);
    await expect(signIn(late)).rejects.toMatchObject({ code: 'ticket_invalid' });
  });

  test('not after the session has ended, the password or the factors were changed, or the account was disabled', async () => {
    const bob = await app.signUp('bob');
    const other = await admitted(bob);
    const factor = { factor_state: 'set' } as const;
    await app.deps.db.transact((tx) => tx.updateTable('users').set(factor).where('user_id', '=', bob.userId).execute());
    await expect(signIn(other)).rejects.toMatchObject({ code: 'ticket_invalid' });
    const none = { factor_state: 'none' } as const;
    await app.deps.db.transact((tx) => tx.updateTable('users').set(none).where('user_id', '=', bob.userId).execute());
    const third = await admitted(bob);
    await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
    await expect(signIn(third)).rejects.toMatchObject({ code: 'ticket_invalid' });

    const first = await admitted();
    await ada.call(session.logoutPost);
    await expect(signIn(first)).rejects.toMatchObject({ code: 'ticket_invalid' });

    ada = await app.signIn(ada);
    const second = await admitted();
    const password = 'another-long-password-9';
    await ada.call(credentials.changePassword, {
      body: { current_password: ada.password, password, password_confirmation: password },
    });
    await expect(signIn(second)).rejects.toMatchObject({ code: 'ticket_invalid' });
  });

  test('the same challenge again: only the newest code counts', async () => {
    const { secret, challenge } = await newProgramSecret();
    const first = await ada.call(admitProgram, { body: { challenge } });
    const second = await ada.call(admitProgram, { body: { challenge } });
    await expect(signIn({ secret, code: first.code })).rejects.toMatchObject({ code: 'validation' });
    expect(await signIn({ secret, code: second.code })).toMatchObject({ user: { user_id: ada.userId } });
  });

  test('a ticket of another kind is no admission', async () => {
    const program = await admitted();
    const other = { purpose: 'session' } as const;
    await app.deps.db.transact((tx) => tx.updateTable('sign_in_tickets').set(other).execute());
    await expect(signIn(program)).rejects.toMatchObject({ code: 'ticket_invalid' });
  });
});

describe('who lets programs in', () => {
  test('a browser with a fresh sign-in; no token, and no other site', async () => {
    const { challenge } = await newProgramSecret();
    const { token } = await signIn(await admitted());
    const asked = { body: { challenge } };
    await expect(app.guest().call(admitProgram, { ...asked, ...bearer(token) })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const path = '/identity/api/programs';
    const foreign = { path, json: { challenge }, headers: { origin: 'https://evil.example' } };
    expect((await ada.request(foreign)).status).toBe(403);
    await expect(app.guest().call(admitProgram, asked)).rejects.toMatchObject({ code: 'unauthenticated' });
    app.clock.advance(10 * MINUTE);
    await expect(ada.call(admitProgram, asked)).rejects.toMatchObject({ code: 'reauth_required' });
  });

  test.each(['', 'x', 'A'.repeat(64), 'a'.repeat(63)])('a challenge that is none: %j', async (challenge) => {
    await expect(ada.call(admitProgram, { body: { challenge } })).rejects.toMatchObject({ code: 'validation' });
  });

  test('at most five wait at a time, the newest ones', async () => {
    const programs: Program[] = [];
    for (let at = 0; at < 6; at += 1) programs.push(await admitted());
    await expect(signIn(programs[0]!)).rejects.toMatchObject({ code: 'ticket_invalid' });
    expect(await signIn(programs[5]!)).toMatchObject({ token: expect.any(String) });
  });
});

test('failed tries count for the address, as failed sign-ins do', async () => {
  const { secret } = await newProgramSecret();
  const tries = async () => signIn({ secret, code: '00000000' }).catch((error: { code: string }) => error.code);
  const codes = new Set<unknown>();
  for (let at = 0; at < 70; at += 1) codes.add(await tries());
  expect([...codes]).toEqual(['ticket_invalid', 'too_many_requests']);
  const program = await admitted();
  await expect(signIn(program)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('neither secret nor code is in the database or the log', async () => {
  const { secret, code } = await admitted();
  const rows = JSON.stringify(await app.deps.db.read.selectFrom('sign_in_tickets').selectAll().execute());
  for (const kept of [secret, code, code.replace('-', '')]) {
    expect(rows).not.toContain(kept);
    expect(app.log.join('\n')).not.toContain(kept);
  }
});
