/** The second confirmation of a deletion: it names the groups that lose their only admin (docs/spec/decisions.md I12). */
import type { SoleGroup } from '@passwordbroker/core/contract/users/people';
import type { User } from '@passwordbroker/core/contract/users/user';
import { reasonOf } from '../lib/reason.ts';
import { ADMIN_TEXTS } from '../texts/admin.ts';
import { ADMIN_USERS_TEXTS as TEXTS } from '../texts/admin-users.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { SoleGroups } from './sole-groups.tsx';

interface Props {
  readonly user: User;
  readonly groups: readonly SoleGroup[];
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function RemoveOnlyAdminDialog({ user, groups, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={TEXTS.onlyAdminTitle(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.onlyAdminConfirm}
      confirming={TEXTS.removing}
      onConfirm={onConfirm}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <SoleGroups groups={groups} />
      <p>{TEXTS.onlyAdminText}</p>
    </ConfirmDialog>
  );
}
