/** The daily mail and the reminders of due entries. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as notices from '@passwordbroker/core/contract/account/notices';
import * as people from '@passwordbroker/core/contract/users/people';
import { sendDueMail } from '../mail/sender.ts';
import { joinGroup } from '../testing/join-group.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { createEntryIn, createSealedPlace } from '../testing/sealed-place.ts';
import { startSecondIfPossible } from '../testing/second-instance.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';
import { dailyRound } from './daily-round.ts';

const DAY = 24 * HOUR;
const NAME = 'Launch codes';
const TITLE = 'Reactor door';
let catcher: MailCatcher;
let app: TestApp;
let [ada, bob, eve]: SignedIn[] = [];
/** A group of Ada's, where Bob is moderator and Eve is member. */
let g: string;
let e: string;

beforeAll(async () => {
  catcher = await startMailCatcher();
  const site = { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none' };
  app = await startTestApp({ environment: { SMTP_URL: catcher.url, MAIL_FROM: 'vault@example.org', ...site } });
  [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
});
afterAll(async () => {
  app.deps.mailer?.close();
  await app.stop();
  await catcher.stop();
});
beforeEach(async () => {
  for (const person of [ada, bob, eve]) Object.assign(person!, await app.signIn(person!));
  await app.deps.db.transact(async (tx) => {
    for (const table of ['notices', 'notice_settings', 'mail_outbox'] as const) await tx.deleteFrom(table).execute();
    await tx.updateTable('entries').set({ due_at: null }).execute();
  });
  g = (await createSealedPlace(ada!, { name: NAME })).g;
  e = await createEntryIn(ada!, g, TITLE);
  await joinGroup(app, g, bob!, 'moderator');
  await joinGroup(app, g, eve!, 'member');
});

/** Sets the clock; sessions end with it. */
const goTo = (time: string) => app.clock.advance(Date.parse(time) - app.clock.now());
const due = async (day: string, entryId = e) => {
  await ada!.call(entries.mark, { params: { g, e: entryId }, body: { due_at: day, due_kind: 'review' } });
};
/** Notices of due entries: `name: number of entries`. */
async function reminded(): Promise<string[]> {
  const names = new Map([ada, bob, eve].map((person) => [person!.userId, person!.name]));
  const rows = await app.deps.db.read.selectFrom('notices').selectAll().where('kind', '=', 'entries_due').execute();
  return rows
    .map(
      ({ user_id, subject }) =>
        `${names.get(user_id)}: ${(JSON.parse(subject) as { entry_count: number }).entry_count}`,
    )
    .sort();
}
const waiting = async () =>
  (await app.deps.db.read.selectFrom('mail_outbox').select('recipient').orderBy('recipient').execute()).map(
    ({ recipient }) => recipient,
  );
const round = () => dailyRound(app.deps);
const forget = () =>
  app.deps.db.transact(async (tx) => {
    await tx.deleteFrom('notices').execute();
    await tx.deleteFrom('mail_outbox').execute();
  });

test('moderators and admins are reminded 14 and 3 days before, on the day, then weekly, once a day in one notice', async () => {
  const second = await createEntryIn(ada!, g, 'Second');
  await due('2030-03-20');
  await due('2030-03-20', second);
  const days: string[] = [];
  for (let at = Date.parse('2030-03-05T08:00:00Z'); at <= Date.parse('2030-04-05T08:00:00Z'); at += DAY) {
    app.clock.advance(at - app.clock.now());
    await round();
    await round();
    const told = await reminded();
    if (told.length > 0) days.push(new Date(at).toISOString().slice(0, 10));
    if (told.length > 0) expect(told).toEqual(['ada: 2', 'bob: 2']);
    expect(await waiting()).toEqual(told.length > 0 ? ['ada@example.org', 'bob@example.org'] : []);
    await forget();
  }
  expect(days).toEqual(['2030-03-06', '2030-03-17', '2030-03-20', '2030-03-27', '2030-04-03']);
});

test('the mail counts what is new, names nothing, and comes once; without news there is none', async () => {
  goTo('2030-05-01T07:59:00Z');
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('entries')
      .set({ due_at: Date.parse('2030-05-01') })
      .where('entry_id', '=', e)
      .execute(),
  );
  await round();
  expect(await waiting()).toEqual([]);
  app.clock.advance(MINUTE);
  const two = await startSecondIfPossible(app);
  await Promise.all([round(), dailyRound({ ...(two ?? app).deps, ...NOTICES }), round()]);
  await two?.stop();
  expect(await waiting()).toEqual(['ada@example.org', 'bob@example.org']);
  catcher.refuseNext(2);
  expect(await sendDueMail(app.deps)).toBe(0);
  app.clock.advance(MINUTE);
  expect(await sendDueMail(app.deps)).toBe(2);
  const [mail] = catcher.mails;
  expect(mail?.text).toContain('1 entry in 1 group: overdue, or due within two weeks.');
  expect(mail?.text).toContain('https://vault.example.org/notices');
  const raw = catcher.mails.map((one) => one.raw).join();
  for (const canary of [NAME, TITLE, e, g]) expect(raw).not.toContain(canary);
  app.clock.advance(DAY);
  await round();
  expect(await waiting()).toEqual([]);
});

const NOTICES = { noticesFrom: 'https://vault.example.org' };

test('the hour is that of the person’s time zone, once a day also when clocks change', async () => {
  await bob!.call(notices.changeSettings, { body: { digest_hour: 2, digest_zone: 'Europe/Berlin' } });
  const wrong = bob!.call(notices.changeSettings, { body: { digest_zone: 'Europe/Atlantis' } });
  await expect(wrong).rejects.toMatchObject({ errors: { digest_zone: ['The digest zone does not exist.'] } });
  expect(await bob!.call(notices.settings)).toMatchObject({ digest_hour: 2, digest_zone: 'Europe/Berlin' });
  const dayOfBob = async () => {
    await round();
    const row = app.deps.db.read.selectFrom('notice_settings').select('digest_day').where('user_id', '=', bob!.userId);
    return (await row.executeTakeFirst())?.digest_day ?? null;
  };
  goTo('2030-03-30T00:59:00Z');
  expect(await dayOfBob()).toBe(null);
  goTo('2030-03-30T01:00:00Z');
  expect(await dayOfBob()).toBe('2030-03-30');
  // Two o'clock does not exist on this day: three o'clock comes after 01:59.
  goTo('2030-03-31T00:59:00Z');
  expect(await dayOfBob()).toBe('2030-03-30');
  goTo('2030-03-31T01:00:00Z');
  expect(await dayOfBob()).toBe('2030-03-31');
  // Two o'clock comes twice on this day.
  goTo('2030-10-27T00:00:00Z');
  expect(await dayOfBob()).toBe('2030-10-27');
  await give(bob!);
  goTo('2030-10-27T01:30:00Z');
  await round();
  expect(await waiting()).toEqual([]);
  goTo('2030-10-28T01:00:00Z');
  await round();
  expect(await waiting()).toEqual(['bob@example.org']);
});

/** An unread notice for the daily mail. */
const give = (person: SignedIn) =>
  app.deps.db.transact(async (tx) => {
    const row = { notice_id: app.deps.newId(), user_id: person.userId, kind: 'entries_due', repeats: 1 } as const;
    const subject = JSON.stringify({ groups: [g], group_count: 1, entries: [e], entry_count: 1 });
    const times = { created_at: app.deps.clock.now(), read_at: null, mailed_at: null };
    await tx
      .insertInto('notices')
      .values({ ...row, subject, ...times })
      .execute();
  });

test('what is read, switched to another delivery, or of a disabled account is not mailed', async () => {
  for (const person of [ada!, bob!, eve!]) await give(person);
  const [newest] = (await bob!.call(notices.listAll, { query: {} })).data;
  await bob!.call(notices.markRead, { body: { up_to: newest?.notice_id ?? '' } });
  await eve!.call(notices.changeSettings, { body: { kinds: { entries_due: 'here' } } });
  const carol = await app.signUp('carol');
  await give(carol);
  await ada!.call(people.setDisabled, { params: { id: carol.userId }, body: { status: true } });
  await forgetMails();
  app.clock.advance(DAY + 8 * HOUR);
  await round();
  expect(await waiting()).toEqual(['ada@example.org']);
});

const forgetMails = () => app.deps.db.transact((tx) => tx.deleteFrom('mail_outbox').execute());

test('a reminder names its entries only while the reader may see them, and is done when nothing is due', async () => {
  await due(new Date(app.clock.now() + 3 * DAY).toISOString().slice(0, 10));
  await give(bob!);
  const first = async () => (await bob!.call(notices.listAll, { query: {} })).data[0];
  expect(await first()).toMatchObject({ entries: [{ entry_id: e, title: TITLE }], entry_count: 1, is_done: false });
  await ada!.call(entries.mark, { params: { g, e }, body: { due_at: '' } });
  expect(await first()).toMatchObject({ entries: [], entry_count: 0, is_done: true });
  await due(new Date(app.clock.now()).toISOString().slice(0, 10));
  await app.deps.db.transact((tx) => tx.deleteFrom('group_members').where('user_id', '=', bob!.userId).execute());
  expect(JSON.stringify(await first())).not.toMatch(/Reactor|Launch/);
});
