import { catalogue } from '@passwordbroker/core/texts';
import { counted, groups } from '../counted.ts';

interface Counts {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

const countsText = ({ sessions, tokens, invitations }: Counts) =>
  [
    counted(sessions, 'session', 'sessions'),
    counted(tokens, 'token', 'tokens'),
    counted(invitations, 'open invitation', 'open invitations'),
  ].join(', ');

export const OFFBOARDING_TEXTS = catalogue('offboarding', {
  page: (name: string) => `Offboard ${name}`,
  title: 'Offboard',
  pageHint: 'Ends this person’s access in one step. You can stop and continue later; the page shows what is left.',
  back: 'All users',
  loading: 'Loading this person’s access',
  failed: 'This person’s access could not be loaded.',
  offline: 'Go online first: offboarding needs the server.',
  oneself: 'You cannot offboard yourself. Ask another site admin to do it.',

  account: 'Account',
  ends: (counts: Counts) => `Ends at once: ${countsText(counts)}.`,
  endsNothing: 'No session, token or open invitation is left.',
  role: { admin: 'The site admin role ends, too.', auditor: 'The auditor role ends, too.' },
  disable: 'Disable the account',
  disableHint: 'Nobody can sign in to it until it is enabled again. Its keys stay.',
  isDisabled: 'The account is disabled: nobody can sign in to it.',
  backups: 'Mails about backups go to this address',
  backupsText: 'They continue until you change the address on the backup page.',
  backupPage: 'Backup page',

  yours: (count: number) => `Groups that you manage (${count})`,
  yoursHint: 'The person is removed from these groups. Each group gets a new key while your vault is unlocked.',
  yoursAdmin:
    'In groups where the person is an admin, this role is removed first. You are asked for your master password.',
  yoursNone: 'The person is in no group that you manage.',
  others: (count: number) => `Groups that others manage (${count})`,
  othersHint: 'Ask an admin of each group to remove the person. Only an admin of a group can do it.',
  othersNone: 'The person is in no other group.',
  columns: { group: 'Group', role: 'Role', state: 'State', admins: 'Admins' },
  states: { left: 'member', removed: 'removed' },
  nobody: 'nobody else',

  submit: 'Offboard',
  again: 'Go on',
  submitting: 'Offboarding',
  removing: (done: number, total: number) => `Removing from group ${Math.min(done + 1, total)} of ${total}`,
  removeAction: (name: string) => `remove ${name} from groups where both of you are admins`,
  stop: 'Stop',
  ended: (name: string, counts: Counts) => `${name}: ${countsText(counts)} ended`,
  removed: (name: string, count: number) => `${name} was removed from ${groups(count)}`,

  done: 'There is no access left that you can end',
  doneOthers: (count: number) => `This person is still a member of ${groups(count)} that others manage.`,
  next: 'Change the secrets this person has opened, because they may still know them.',
  formerMembers: 'What to change',
});
