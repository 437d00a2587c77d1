/** Notices about members (docs/spec/api.md §3.12): who gets them, what they say to the reader, and what they store. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as manyGroups from '@passwordbroker/core/contract/groups/many-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as notices from '@passwordbroker/core/contract/account/notices';
import * as people from '@passwordbroker/core/contract/users/people';
import { NOTICE_LIMITS } from '@passwordbroker/core/domain/notices';
import { sendDueMail } from '../mail/sender.ts';
import { type Sharing, sharing } from '../members/testing/sharing.ts';
import { sweep } from '../system/housekeeping.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';
import { callWithProof } from '../testing/test-proof.ts';

const NAME = 'Launch codes';
let catcher: MailCatcher;
let app: TestApp;
let as: Sharing;
let [ada, bob, eve]: SignedIn[] = [];
/** A group of Ada's. */
let g: string;

beforeAll(async () => {
  catcher = await startMailCatcher();
  const site = { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none' };
  app = await startTestApp({ environment: { SMTP_URL: catcher.url, MAIL_FROM: 'vault@example.org', ...site } });
  as = sharing(app);
  [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
});
afterAll(async () => {
  app.deps.mailer?.close();
  await app.stop();
  await catcher.stop();
});
beforeEach(async () => {
  await app.deps.db.transact(async (tx) => {
    for (const table of ['notices', 'notice_settings', 'mail_outbox'] as const) await tx.deleteFrom(table).execute();
  });
  g = (await createSealedPlace(ada!, { name: NAME })).g;
});

const listOf = (person: SignedIn | undefined, query = {}) => person!.call(notices.listAll, { query });
/** `kind ×count role person groups`, newest first. */
const shown = async (person: SignedIn | undefined) =>
  (await listOf(person)).data.map(({ kind, count, role, person: who, groups: of }) =>
    [kind, count > 1 ? `×${count}` : null, role, who?.name, ...of.map(({ name }) => name)].filter(Boolean).join(' '),
  );
const stored = () => app.deps.db.read.selectFrom('notices').selectAll().execute();
/** As if the notices were that much older. */
const age = (ms: number) =>
  app.deps.db.transact((tx) =>
    tx
      .updateTable('notices')
      .set((eb) => ({ created_at: eb('created_at', '-', ms) }))
      .execute(),
  );
const unread = async (person: SignedIn | undefined) => (await person!.call(notices.count)).unread;
const choose = (person: SignedIn | undefined, kinds: Partial<notices.NoticeSettings['kinds']>) =>
  person!.call(notices.changeSettings, { body: { kinds } });

test('the person and the other admins are told; nobody is told what they did themselves', async () => {
  await as.add(ada!, g, eve!, 'admin');
  await as.add(ada!, g, bob!, 'member');
  await as.add(ada!, g, bob!, 'moderator');
  expect(await shown(bob)).toEqual([`role_changed moderator ${NAME}`, `group_added member ${NAME}`]);
  expect(await shown(eve)).toEqual([`member_joined bob ${NAME}`, `group_added admin ${NAME}`]);
  await as.remove(eve!, g, bob!);
  expect((await shown(bob))[0]).toBe('group_removed');
  expect(await shown(ada)).toEqual([`member_left bob ${NAME}`]);
  expect((await shown(eve))[0]).toBe(`member_joined bob ${NAME}`);
});

test('a group made with the members of its parent is one notice for each of them', async () => {
  await as.add(ada!, g, eve!, 'admin');
  const others = [[eve!, 'admin']] as const;
  await createSealedPlace(ada!, { name: 'Below', parent: g, others });
  expect(await shown(eve)).toEqual(['group_added admin Below', `group_added admin ${NAME}`]);
  expect(await stored()).toHaveLength(2);
});

test('many groups at once are one notice', async () => {
  const second = (await createSealedPlace(ada!, { name: 'Second' })).g;
  const acts = await Promise.all(
    [g, second].map(async (id) => ({ entry_group_id: id, ...(await as.bodyOf(ada!, id, bob!, 'member')) })),
  );
  await callWithProof(app, ada!, manyGroups.addMany, { params: {}, body: { acts } });
  const { data } = await listOf(bob);
  expect(data).toMatchObject([{ kind: 'group_added', group_count: 2, is_read: false }]);
  expect(data[0]?.groups.map(({ name }) => name).sort()).toEqual([NAME, 'Second']);
});

test('a refused operation gives no notice', async () => {
  await as.add(ada!, g, bob!, 'member');
  const body = await as.bodyOf(ada!, g, bob!, 'moderator');
  const before = await stored();
  // The list of members was signed by somebody else, for a list that has changed since.
  await as.add(ada!, g, bob!, 'admin');
  const between = await stored();
  await expect(callWithProof(app, ada!, members.add, { params: { g }, body })).rejects.toThrow();
  await expect(as.remove(eve!, g, bob!)).rejects.toMatchObject({ status: 403 });
  await expect(as.remove(ada!, g, bob!)).rejects.toMatchObject({ status: 403 });
  expect([before.length, await stored()]).toEqual([1, between]);
});

test('a deleted account is named to admins of its groups, who are also asked for new keys', async () => {
  const carol = await app.signUp('carol');
  const hers = (await createSealedPlace(bob!, { name: 'Ledgers' })).g;
  await as.add(bob!, hers, carol, 'member');
  await ada!.call(people.remove, { params: { id: carol.userId }, body: {} });
  expect(await shown(bob)).toEqual(['keys_to_change Ledgers', 'member_left carol Ledgers']);
  expect((await listOf(bob)).data.map(({ is_done }) => is_done)).toEqual([false, false]);
  await as.rotateAll(bob!, hers);
  expect((await listOf(bob)).data.map(({ is_done }) => is_done)).toEqual([true, false]);
});

test('names follow the rights that the reader has now', async () => {
  await as.add(ada!, g, bob!, 'member');
  await ada!.call(groups.rename, { params: { g }, body: { name: 'Renamed' } });
  expect(await shown(bob)).toEqual(['group_added member Renamed']);
  await as.remove(ada!, g, bob!);
  expect(await shown(bob)).toEqual(['group_removed', 'group_added member']);
  expect(JSON.stringify(await listOf(bob))).not.toContain('Renamed');
});

test('rows and mails hold ids and counts, no name or title', async () => {
  await choose(bob, { group_added: 'mail', group_removed: 'mail' });
  await choose(ada, { member_left: 'mail' });
  await as.add(ada!, g, bob!, 'member');
  await as.add(ada!, g, eve!, 'admin');
  await as.remove(eve!, g, bob!);
  await sendDueMail(app.deps);
  const { mails } = catcher;
  expect(mails.map(({ to, subject }) => `${to.join()}: ${subject}`).sort()).toEqual([
    'ada@example.org: New notices (vault.example.org)',
    'bob@example.org: New notices (vault.example.org)',
    'bob@example.org: New notices (vault.example.org)',
  ]);
  const texts = mails.map(({ text }) => text).join();
  expect(texts).toContain('You were added to 1 group.');
  expect(texts).toContain('1 person left 1 group that you administer.');
  expect(texts).toContain('https://vault.example.org/notices');
  const everything = `${mails.map(({ raw }) => raw).join()}${JSON.stringify(await stored())}`;
  expect(everything).not.toContain(NAME);
  expect(JSON.stringify(await stored())).not.toMatch(/bob|eve|example/);
});

test('a kind that is switched off gives none; the settings keep the other kinds', async () => {
  await choose(bob, { group_added: 'off' });
  await choose(bob, { role_changed: 'mail' });
  await as.add(ada!, g, bob!, 'member');
  expect([await shown(bob), await unread(bob)]).toEqual([[], 0]);
  const { kinds, has_mail } = await bob!.call(notices.settings);
  expect(kinds).toMatchObject({ group_added: 'off', role_changed: 'mail', member_left: 'here' });
  expect(has_mail).toBe(true);
  const wrong = bob!.call(notices.changeSettings, { body: { kinds: { group_added: 'pigeon' } } as never });
  await expect(wrong).rejects.toMatchObject({ code: 'validation' });
});

test('the same within an hour becomes one notice with a count, unread again', async () => {
  const again = async () => {
    await as.add(ada!, g, bob!, 'member');
    await as.remove(ada!, g, bob!);
  };
  await again();
  const { data, unread: two } = await listOf(bob);
  await bob!.call(notices.markRead, { body: { up_to: data[0]?.notice_id ?? '' } });
  expect([two, await unread(bob)]).toEqual([2, 0]);
  await age(59 * MINUTE);
  await again();
  expect([await shown(bob), await unread(bob)]).toEqual([['group_removed ×2', 'group_added ×2 member'], 2]);
  await age(HOUR);
  await again();
  expect(await stored()).toHaveLength(4);
});

test('notices are read up to one, or that one alone, and only by their owner', async () => {
  await as.add(ada!, g, bob!, 'member');
  await as.add(ada!, g, bob!, 'moderator');
  await as.add(ada!, g, bob!, 'admin');
  const [newest, middle] = (await listOf(bob)).data;
  const upTo = newest?.notice_id ?? '';
  expect(await eve!.call(notices.markRead, { body: { up_to: upTo } })).toEqual({ unread: 0 });
  expect(await unread(bob)).toBe(3);
  expect(await bob!.call(notices.markRead, { body: { up_to: upTo, only: true } })).toEqual({ unread: 2 });
  expect((await listOf(bob)).data.map(({ is_read }) => is_read)).toEqual([true, false, false]);
  expect((await listOf(bob, { before: upTo, limit: 1 })).data.map(({ notice_id }) => notice_id)).toEqual([
    middle?.notice_id,
  ]);
  expect(await bob!.call(notices.markRead, { body: { up_to: upTo } })).toEqual({ unread: 0 });
});

test('the periodic clean-up keeps 90 days and 500 notices of a person', async () => {
  const [row] = await (await as.add(ada!, g, bob!, 'member'), stored());
  const rows = Array.from({ length: NOTICE_LIMITS.perPerson + 20 }, () => ({ ...row!, notice_id: app.deps.newId() }));
  await app.deps.db.transact(async (tx) => {
    for (const one of rows) await tx.insertInto('notices').values(one).execute();
  });
  await sweep(app.deps);
  const kept = (await stored()).map(({ notice_id }) => notice_id).sort();
  expect(kept).toEqual(rows.slice(20).map(({ notice_id }) => notice_id));
  await age(NOTICE_LIMITS.days * 24 * HOUR);
  await sweep(app.deps);
  expect(await stored()).toHaveLength(NOTICE_LIMITS.perPerson);
  await age(1);
  await sweep(app.deps);
  expect(await stored()).toEqual([]);
});
