/** The site checkup: states of each point, what changes them, and access. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import { checkup, keepPoint, testMail } from '@passwordbroker/core/contract/site/checkup';
import type { CheckupPointName } from '@passwordbroker/core/contract/site/checkup';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { setAuditor } from '@passwordbroker/core/contract/users/people';
import { changeLimits, changeSettings, changeSignIn } from '@passwordbroker/core/contract/site/site';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { guard } from '../identity/factors/testing/two-factors.ts';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import type { MailCatcher } from '../testing/mail-catcher.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
let catcher: MailCatcher | null = null;
async function start(environment: Readonly<Record<string, string>> = {}) {
  app = await startTestApp({ environment });
  ada = await app.signUp('ada');
}
afterEach(async () => {
  app.deps.mailer?.close();
  await app.stop();
  await catcher?.stop();
  catcher = null;
});

/** State and reason of a point, e.g. `open no_mail_server`. */
async function stateOf(point: CheckupPointName): Promise<string> {
  const found = (await ada.call(checkup)).points.find((each) => each.point === point);
  return [found?.state, found?.reason ?? []].flat().join(' ');
}
const HTTPS = { PUBLIC_URL: 'https://vault.example.org' };
const SCHEDULE = { schedule: [3], enable: true, email_enable: false };
const DAY = 24 * 60 * MINUTE;

describe('on a new site', () => {
  beforeEach(() => start());

  test('every point without configuration is open and counted', async () => {
    const { open, points } = await ada.call(checkup);
    expect(points.map(({ point, state, reason }) => [point, state, reason])).toEqual([
      ['strict_passwords', 'open', null],
      ['server_crypto', 'open', null],
      ['second_factor', 'open', null],
      ['recovery_kit', 'open', null],
      ['https', 'open', 'plain_http'],
      ['mail', 'open', 'no_mail_server'],
      ['backup_schedule', 'open', 'backups_off'],
      ['backup_password', 'open', null],
      ['backup_copy', 'open', 'no_second_target'],
      ['person_quota', 'good', null],
      ['log_kept', 'good', null],
    ]);
    expect(open).toBe(9);
  });

  test('settings make their points good or open', async () => {
    const change = (body: object) => ada.call(changeSettings, { body });
    await change({ password_policy: 'strict', server_crypto: 'off' });
    expect([await stateOf('strict_passwords'), await stateOf('server_crypto')]).toEqual(['good', 'good']);
    await change({ password_policy: 'warn', log_months: 11 });
    expect([await stateOf('strict_passwords'), await stateOf('log_kept')]).toEqual(['open', 'open']);
    await change({ log_months: 12 });
    expect(await stateOf('log_kept')).toBe('good');
    await change({ recovery_kit: 'required' });
    expect(await stateOf('recovery_kit')).toBe('good');
    await guard(app, ada);
    await ada.call(changeSignIn, { body: { second_factor: 'admins' } });
    expect(await stateOf('second_factor')).toBe('open');
    await ada.call(changeSignIn, { body: { second_factor: 'all' } });
    expect(await stateOf('second_factor')).toBe('good');
    await ada.call(changeLimits, { body: { person_quota_mib: 0 } });
    expect(await stateOf('person_quota')).toBe('open');
    await ada.call(changeLimits, { body: { person_quota_mib: 1 } });
    expect(await stateOf('person_quota')).toBe('good');
  });

  test('backups: enabled, with an archive password, and overdue after more than a day', async () => {
    await ada.call(backups.changeSettings, { body: SCHEDULE });
    expect([await stateOf('backup_schedule'), await stateOf('backup_password')]).toEqual(['good', 'open']);
    await ada.call(backups.changeSettings, { body: { ...SCHEDULE, archive_password: 'the archive password' } });
    expect(await stateOf('backup_password')).toBe('good');
    app.clock.advance(27 * 60 * MINUTE);
    ada = await app.signIn(ada);
    expect(await stateOf('backup_schedule')).toBe('open backups_overdue');
  });

  test('a kept point is not counted and can be reopened, and both are logged', async () => {
    const keep = (kept: boolean) => ada.call(keepPoint, { body: { point: 'server_crypto', kept } });
    expect(await keep(true)).toMatchObject({ open: 8 });
    await keep(true);
    expect(await stateOf('server_crypto')).toBe('kept');
    // A good point is shown as good; the admin's decision is kept for later.
    await ada.call(changeSettings, { body: { server_crypto: 'off' } });
    expect(await stateOf('server_crypto')).toBe('good');
    await ada.call(changeSettings, { body: { server_crypto: 'allowed' } });
    expect(await stateOf('server_crypto')).toBe('kept');
    expect(await keep(false)).toMatchObject({ open: 9 });
    const { data } = await ada.call(audit.list, { query: { event_type: 'settings_changed' } });
    expect(data.map(({ details }) => details)).toEqual([
      { checkup_reopened: 'server_crypto' },
      { server_crypto: 'allowed' },
      { server_crypto: 'off' },
      { checkup_kept: 'server_crypto' },
    ]);
  });

  test('points that are kept at the same time all stay kept', async () => {
    const keep = (point: CheckupPointName) => ada.call(keepPoint, { body: { point, kept: true } });
    await Promise.all([keep('mail'), keep('https'), keep('backup_copy')]);
    expect((await ada.call(checkup)).open).toBe(6);
  });

  test('auditors can read it; only a site admin with a fresh sign-in keeps a point, and only an existing one', async () => {
    const bob = await app.signUp('bob');
    await expect(bob.call(checkup)).rejects.toMatchObject({ code: 'forbidden' });
    const carol = await app.signUp('carol');
    await ada.call(setAuditor, { params: { id: carol.userId }, body: { is_auditor: true } });
    expect((await carol.call(checkup)).open).toBe(9);
    const kept = carol.call(keepPoint, { body: { point: 'mail', kept: true } });
    await expect(kept).rejects.toMatchObject({ code: 'forbidden' });
    await expect(bob.call(testMail)).rejects.toMatchObject({ code: 'forbidden' });
    for (const json of [{}, { point: 'mail' }, { point: 'toString', kept: true }, { point: 'mail', kept: 'perhaps' }]) {
      expect((await ada.request({ method: 'PUT', path: keepPoint.path, json })).status).toBe(422);
    }
    app.clock.advance(11 * MINUTE);
    const old = ada.call(keepPoint, { body: { point: 'mail', kept: true } });
    await expect(old).rejects.toMatchObject({ code: 'reauth_required' });
    await ada.call(credentials.confirmPassword, { body: { password: ada.password } });
    expect(await stateOf('mail')).toBe('open no_mail_server');
  });

  test('without a mail server a test mail names the setting', async () => {
    expect(await ada.call(testMail)).toMatchObject({ sent: false, problem: 'No mail server is set (SMTP_URL).' });
    expect(await stateOf('mail')).toBe('open no_mail_server');
  });

  test('the command prints the points, keeps and reopens them, and fails while one is open', async () => {
    const run = async (...args: string[]) => {
      const said: string[] = [];
      const take = (line: string) => void said.push(line);
      const secret = () => Promise.resolve('');
      const terminal = { say: take, tell: take, secret, knownSecret: secret };
      return { code: await runCommandLine(['checkup', ...args], app.environment, terminal), said };
    };
    const first = await run();
    expect(first.code).toBe(EXIT.failed);
    expect(first.said).toContain('strict_passwords\topen\tsettings set password_policy strict');
    expect(first.said).toContain('log_kept\tgood');
    expect((await run('--keep', 'nothing')).code).toBe(EXIT.usage);
    const open = (await ada.call(checkup)).points.filter(({ state }) => state === 'open');
    const all = await run(...open.flatMap(({ point }) => ['--keep', point]));
    expect(all.code).toBe(EXIT.done);
    expect(all.said).toContain('mail\tkept');
    expect(await run('--reopen', 'mail')).toMatchObject({ code: EXIT.failed });
    expect(await stateOf('mail')).toBe('open no_mail_server');
    const { data } = await ada.call(audit.list, { query: { event_type: 'settings_changed', perPage: 1 } });
    expect(data).toMatchObject([{ login: null, address: 'command line', details: { checkup_reopened: 'mail' } }]);
  });
});

describe('TLS and the proxy', () => {
  const through = (headers: Readonly<Record<string, string>>) =>
    ada.request({ path: checkup.path, headers }).then((answer) => {
      const { points } = answer.json<{ points: { point: string; state: string; reason: string | null }[] }>();
      const { state, reason } = points.find(({ point }) => point === 'https') ?? {};
      return [state, reason];
    });

  test('a proxy that names its callers is recognised by a request that came through it', async () => {
    await start({ ...HTTPS, TRUST_PROXY: 'loopback' });
    expect(await through({})).toEqual(['open', 'proxy_unseen']);
    expect(await through({ 'x-forwarded-for': '203.0.113.7' })).toEqual(['good', null]);
  });

  test('a proxy that does not name its callers is open', async () => {
    await start({ ...HTTPS, TRUST_PROXY: 'none' });
    expect(await through({ 'x-forwarded-for': '203.0.113.7' })).toEqual(['open', 'proxy_unnamed']);
  });
});

describe('mail', () => {
  beforeEach(async () => {
    catcher = await startMailCatcher();
    await start({ SMTP_URL: catcher.url });
  });

  test('a test mail arrives and is logged', async () => {
    expect(await stateOf('mail')).toBe('open mail_untried');
    expect(await ada.call(testMail)).toEqual({ sent: true, to: ada.email, problem: null });
    expect(catcher?.mails.at(-1)).toMatchObject({ to: [ada.email], subject: 'Test mail (localhost:8080)' });
    expect(await stateOf('mail')).toBe('good');
    const { data } = await ada.call(audit.list, { query: { event_type: 'mail_tested' } });
    expect(data).toMatchObject([{ login: ada.email, details: { sent: true } }]);
  });

  test('a rejected test mail is reported, and the point is open again', async () => {
    await ada.call(testMail);
    catcher?.refuseNext(1);
    const refused = await ada.call(testMail);
    expect(refused).toMatchObject({ sent: false, problem: expect.stringMatching(/\w/) as string });
    expect(await stateOf('mail')).toBe('open mail_untried');
  });

  test('another mail server has to be tested again', async () => {
    await ada.call(testMail);
    await app.deps.db.transact((tx) =>
      tx
        .updateTable('site_settings')
        .set({ value: 'smtp://other.example.org  ' })
        .where('name', '=', 'mail_tested')
        .execute(),
    );
    expect(await stateOf('mail')).toBe('open mail_untried');
  });
});

test('the second target is open if a copy is late', async () => {
  await start({ BACKUP_COPY: '/nonexistent/copies' });
  expect(await stateOf('backup_copy')).toBe('good');
  const backup_id = (await ada.call(backups.create)).backup_id;
  await app.deps.db.transact((tx) =>
    tx
      .insertInto('backup_copies')
      .values({
        backup_id,
        target: '/nonexistent/copies',
        state: 'waiting',
        attempts: 0,
        due_at: 0,
        copied_at: null,
        error_message: null,
        created_at: app.clock.now() - 2 * DAY,
        updated_at: 0,
      })
      .execute(),
  );
  expect(await stateOf('backup_copy')).toBe('open copies_overdue');
});
