/** Mails about notices: what and in how many groups, never the name of an entry, a group or another person. */
import type { NoticeKind } from '@passwordbroker/core/domain/notices';
import type { Transact } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import type { Subject } from '../notices/subject.ts';
import { insertMail } from './outbox-repository.ts';
import { hostOf, lines, type Words } from './texts.ts';

export const NOTICE_MAIL = 'notices';

export interface NoticeMail {
  readonly name: string;
  /** URL. */
  readonly site: string;
  readonly told: readonly Told[];
}

interface Told {
  readonly kind: NoticeKind;
  readonly people: number;
  readonly groups: number;
  readonly entries: number;
}

interface Mailed {
  readonly kind: NoticeKind;
  readonly subject: Subject;
}

/** Queues one mail in the transaction. Does nothing without a mail server. */
export async function mailNotices(
  tx: Transact,
  deps: Pick<Deps, 'noticesFrom' | 'newId' | 'clock'>,
  to: { readonly name: string; readonly email: string },
  notices: readonly Mailed[],
): Promise<void> {
  if (deps.noticesFrom === null || notices.length === 0) return;
  const now = deps.clock.now();
  const mail: NoticeMail = { name: to.name, site: deps.noticesFrom, told: countsOf(notices) };
  await insertMail(tx, {
    mail_id: deps.newId(),
    notice: NOTICE_MAIL,
    recipient: to.email,
    details: JSON.stringify(mail),
    created_at: now,
    due_at: now,
    attempts: 0,
  });
}

function countsOf(notices: readonly Mailed[]): readonly Told[] {
  return [...new Set(notices.map(({ kind }) => kind))].map((kind) => {
    const subjects = notices.filter((one) => one.kind === kind).map(({ subject }) => subject);
    return {
      kind,
      people: new Set(subjects.flatMap(({ user }) => (user === undefined ? [] : [user]))).size,
      groups: groupsOf(subjects),
      entries: Math.max(0, ...subjects.map(({ entry_count = 0 }) => entry_count)),
    };
  });
}

/** A subject names the first groups only; the others count as different ones. */
function groupsOf(subjects: readonly Subject[]): number {
  const named = new Set(subjects.flatMap(({ groups }) => groups));
  return subjects.reduce((sum, { groups, group_count }) => sum + group_count - groups.length, named.size);
}

export function noticeMailText({ name, site, told }: NoticeMail): Words {
  return {
    subject: `New notices (${hostOf(site)})`,
    text: lines(
      `Hello ${name},`,
      '',
      ...told.map((one) => SENTENCES[one.kind](one)),
      '',
      `All notices: ${new URL('/notices', site).href}`,
      '',
      'You choose which notices you get by mail on the page of your account.',
    ),
  };
}

const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);
const inGroups = (groups: number) => counted(groups, 'group', 'groups');
const people = (count: number) => counted(count, 'person', 'people');

const SENTENCES: Readonly<Record<NoticeKind, (told: Told) => string>> = {
  group_added: ({ groups }) => `You were added to ${inGroups(groups)}.`,
  group_removed: ({ groups }) => `You were removed from ${inGroups(groups)}.`,
  role_changed: ({ groups }) => `Your role changed in ${inGroups(groups)}.`,
  member_joined: (told) => `${people(told.people)} joined ${inGroups(told.groups)} that you administer.`,
  member_left: (told) => `${people(told.people)} left ${inGroups(told.groups)} that you administer.`,
  keys_to_change: ({ groups }) =>
    `New keys are needed in ${inGroups(groups)} that you administer. Your browser makes them when you open the groups.`,
  entries_due: ({ entries, groups }) =>
    `${counted(entries, 'entry', 'entries')} in ${inGroups(groups)}: overdue, or due within two weeks.`,
};
