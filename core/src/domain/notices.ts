/** Kinds of notices, and how a person wants to get each. */

export const NOTICE_KINDS = [
  'group_added',
  'group_removed',
  'role_changed',
  'member_joined',
  'member_left',
  'keys_to_change',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** `here`: in the web client. `mail`: there, and a mail at once. */
export const DELIVERIES = ['off', 'here', 'mail'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export type NoticeChoices = { readonly [Kind in NoticeKind]: Delivery };

/** For people who have not chosen. */
export const USUAL_DELIVERY: NoticeChoices = {
  group_added: 'here',
  group_removed: 'here',
  role_changed: 'here',
  member_joined: 'here',
  member_left: 'here',
  keys_to_change: 'here',
};

export const NOTICE_LIMITS = { days: 90, perPerson: 500, mergeMs: 60 * 60_000, page: 50 } as const;
