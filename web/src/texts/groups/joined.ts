import { catalogue } from '@passwordbroker/core/texts';
import { groups } from '../counted.ts';

/** People who accepted an invitation, and the groups that it named. */
export const JOINED_TEXTS = catalogue('joined', {
  title: 'People who joined',
  row: (name: string, shares: readonly string[]) =>
    shares.length === 0 ? `${name} has joined.` : `${name} has joined. Share: ${shares.join(', ')}`,
  inRole: (group: string, role: string) => `${group} (${role})`,
  roles: { admin: 'admin', moderator: 'moderator', member: 'member' },
  leftOut: (count: number) =>
    count === 1
      ? 'One group is left out: it is gone, or you are no longer its admin.'
      : `${count} groups are left out: they are gone, or you are no longer their admin.`,
  share: 'Share',
  shareWith: (name: string) => `Share with ${name}`,
  toShare: 'Groups to share',
  shared: (name: string, count: number) => `${groups(count)} shared with ${name}`,
  dismiss: (name: string) => `Do not remind me to share with ${name}`,
  dismissed: (name: string) => `You are no longer reminded to share with ${name}`,
  failed: (reason: string) => `The reminder could not be removed. ${reason}`,
});
