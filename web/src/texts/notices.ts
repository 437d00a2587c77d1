import { catalogue } from '@passwordbroker/core/texts';
import { counted, groups } from './counted.ts';

export const NOTICE_TEXTS = catalogue('notice', {
  page: 'Notices',
  pageHint: 'What changed in your groups, for 90 days. You choose the kinds on the page of your account.',
  toSettings: 'Choose kinds',
  list: 'Notices, newest first',
  unread: 'Unread',
  readAll: 'Mark all read',
  reading: 'Marking',
  older: 'Older notices',
  loading: 'Loading notices',
  failed: 'The notices could not be loaded',
  notRead: 'The notices could not be marked as read',
  retry: 'Try again',
  empty: 'No notices yet',
  emptyHint: 'You find here who was added to your groups or left them, and what waits for you.',
  times: (count: number) => `${count} times`,
  somebody: 'Somebody',
  /** @param named names that the reader may know, of `count` groups */
  place: (named: readonly string[], count: number) => {
    const [first, second] = named;
    if (first === undefined) return count === 1 ? 'a group' : groups(count);
    if (count === 1) return `“${first}”`;
    if (count === 2 && second !== undefined) return `“${first}” and “${second}”`;
    return `“${first}” and ${counted(count - 1, 'other group', 'other groups')}`;
  },
  told: {
    group_added: (place: string, _who: string, role: string) => `You were added to ${place} as ${role}`,
    group_removed: (place: string) => `You were removed from ${place}`,
    role_changed: (place: string, _who: string, role: string) => `Your role in ${place} is now ${role}`,
    member_joined: (place: string, who: string) => `${who} joined ${place}`,
    member_left: (place: string, who: string) => `${who} left ${place}`,
    keys_to_change: (place: string) => `New keys are needed in ${place}. Open it, and this browser makes them.`,
  },
  /** @param title of the most urgent of `count` entries; undefined if none is left */
  due: (title: string | undefined, count: number) => {
    if (title === undefined) return 'The entries that were due are done, or you cannot see them any more';
    if (count === 1) return `“${title}” is due, or will be within two weeks`;
    return `“${title}” and ${counted(count - 1, 'other entry is', 'other entries are')} due, or will be within two weeks`;
  },
  keysChanged: (place: string) => `New keys were made in ${place}`,

  settings: {
    title: 'Which notices you get',
    hint: 'The bell in the header shows them. Mails name no groups, entries or people.',
    noMail: 'This site sends no mail.',
    kinds: {
      group_added: 'You are added to a group',
      group_removed: 'You are removed from a group',
      role_changed: 'Your role in a group changes',
      member_joined: 'Somebody joins a group that you administer',
      member_left: 'Somebody leaves a group that you administer',
      keys_to_change: 'A group that you administer needs new keys',
      entries_due: 'Entries of a group that you administer or moderate are due',
    },
    deliveries: {
      off: 'Off',
      here: 'In the app',
      mail: 'In the app and by mail at once',
      digest: 'In the app and in the daily mail',
    },
    hour: 'Daily mail at',
    hourHint: (zone: string) => `Time zone: ${zone}. Without news there is no mail.`,
    failed: 'The choice could not be saved',
  },
});
