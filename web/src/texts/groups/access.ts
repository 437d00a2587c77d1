import { catalogue } from '@passwordbroker/core/texts';
import { counted } from '../counted.ts';

const of = (opened: number, values: number) =>
  `${opened === 0 ? 'none' : opened} of ${counted(values, 'value', 'values')}`;

/** Roles come as on a badge: 'Moderator'. */
export const ACCESS_TEXTS = catalogue('access', {
  title: (what: string) => `Who can see “${what}”`,
  loading: 'Loading who can see this',
  failed: 'Who can see this could not be loaded.',
  retry: 'Try again',
  search: 'Find a person',
  searchHint: 'Also finds people who cannot read this, and says why.',
  people: 'People',
  found: (count: number) => counted(count, 'person found', 'people found'),
  searching: 'Searching',
  nobody: 'No one found.',
  more: (count: number) => `And ${count} more. Type a name to find them.`,
  reads: (name: string, role: string, group: string) => `${name} can read this: ${role.toLowerCase()} of ${group}.`,
  youRead: (role: string, group: string) => `You can read this: ${role.toLowerCase()} of ${group}.`,
  cannot: (name: string, group: string) => `${name} cannot read this: not a member of ${group}.`,
  opened: (opened: number, values: number) => `They have opened ${of(opened, values)}.`,
  openedLast: (opened: number, values: number, last: string) => `They have opened ${of(opened, values)}, last ${last}.`,
  youOpened: (opened: number, values: number) => `You have opened ${of(opened, values)}.`,
  inCopies: (count: number) => `${count} of them only in an offline copy.`,
  unsigned: (name: string) => `The server lists ${name}, but no admin has signed this. ${name} gets no keys.`,
  otherRole: (role: string) => `The signed list says ${role.toLowerCase()}.`,
  missing: (count: number) =>
    `The server does not show ${counted(count, 'person', 'people')} who ${count === 1 ? 'is' : 'are'} on the signed list.`,
  same: 'Compared with the signed list: the same people and roles.',
  notCompared: 'Not compared with the signed list yet. Unlock the vault to compare.',
  noList: 'This group has no signed list yet.',
});

export const PREVIEW_TEXTS = catalogue('preview', {
  computing: 'Computing what this changes',
  failed: 'What this changes could not be computed.',
  nobody: 'Nobody’s access changes.',
  you: 'you',
  people: (names: readonly string[], more: number) => {
    if (more > 0) return `${names.join(', ')} and ${more} more`;
    return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
  },
  gains: (people: string, entries: number) =>
    entries === 0 ? `Gains: ${people}.` : `Gains: ${people} can read ${counted(entries, 'entry', 'entries')}.`,
  loses: (people: string) => `Loses: ${people}.`,
  known: (values: number) =>
    `They have opened ${counted(values, 'value', 'values')} here: change ${values === 1 ? 'it' : 'these'}.`,
  changes: (people: string, groups: number) =>
    groups === 1 ? `Another role: ${people}.` : `Another role in ${groups} groups: ${people}.`,
  names: (people: number, group: string | null) =>
    `${counted(people, 'person', 'people')} will see the name ${group === null ? 'of its new place' : `“${group}”`}.`,
  lastAdmin: 'The last admin cannot be demoted.',
  othersBelow: 'Groups below that you do not administer move along.',
  refusedBelow: 'You do not administer every group below, so this will be refused.',
});
