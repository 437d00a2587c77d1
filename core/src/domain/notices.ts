/** Kinds of notices, and how a person wants to get each. */

export const NOTICE_KINDS = [
  'group_added',
  'group_removed',
  'role_changed',
  'member_joined',
  'member_left',
  'keys_to_change',
  'entries_due',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** `here`: in the web client. `mail`: also by mail at once. `digest`: also in the daily mail while unread. */
export const DELIVERIES = ['off', 'here', 'mail', 'digest'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export type NoticeChoices = { readonly [Kind in NoticeKind]: Delivery };

/** For people who have not chosen. */
export const USUAL_DELIVERY: NoticeChoices = {
  group_added: 'here',
  group_removed: 'here',
  role_changed: 'here',
  member_joined: 'here',
  member_left: 'here',
  keys_to_change: 'digest',
  entries_due: 'digest',
};

export const NOTICE_LIMITS = { days: 90, perPerson: 500, mergeMs: 60 * 60_000, page: 50 } as const;

/** Default hour of the daily mail. */
export const DIGEST_HOUR = 8;

const DAY = 24 * 60 * 60_000;

/** Days before the due date on which people are reminded. After the date they are reminded once a week. */
export const DUE_DAYS_BEFORE = [14, 3, 0] as const;
export const DUE_EVERY_DAYS = 7;

/** An entry counts as due soon if it is due before this time. */
export const dueSoonUntil = (now: number): number => now + Math.max(...DUE_DAYS_BEFORE) * DAY;

/** Whether the text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
