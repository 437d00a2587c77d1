/** Groups that an invitation names, and the account that accepted it. */
import type { Migration } from '../migrate.ts';

export const inviteGroups: Migration = {
  name: '0036-invite-groups',
  both: [
    'alter table invites add column accepted_by text',
    'create index invites_by_guest on invites (accepted_by) where accepted_by is not null',
    `create table invite_groups (
      invite_id text not null references invites (invite_id) on delete cascade,
      entry_group_id text not null,
      role text not null check (role in ('admin', 'moderator', 'member')),
      primary key (invite_id, entry_group_id)
    )`,
    'create index invite_groups_by_group on invite_groups (entry_group_id)',
  ],
};
