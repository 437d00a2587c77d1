import type { User } from '@passwordbroker/core/contract/users/user';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { tellDone } from '../../activity-log/activity-log.ts';
import { http, session } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { doUserAction, type PlainUserAction } from './user-row.tsx';

interface UserActionDialogProps {
  readonly action: PlainUserAction;
  readonly user: User;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function UserActionDialog({ action, user, onDone, onClose }: UserActionDialogProps) {
  const texts = TEXTS.asked[action];
  return (
    <ConfirmDialog
      title={texts.title(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={texts.confirm}
      confirming={texts.confirming}
      isHarmless={
        action === 'promote' || action === 'makeAuditor' || action === 'enable' || action === 'nameBreakGlass'
      }
      onConfirm={async () => {
        const changed = await freshSignIn.tryRun(() => doUserAction(http, action, user));
        if (changed === null) return;
        tellDone(texts.done(user.name));
        onClose();
        session.know(changed);
        await onDone();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}
