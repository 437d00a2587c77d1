/** Confirmation before a change of an account. */
import type { User } from '@passwordbroker/core/contract/users/user';
import { tellDone } from '../activity-log/tell.ts';
import { http } from '../lib/http.ts';
import { reasonOf } from '../lib/reason.ts';
import { freshSignIn } from '../session/fresh-sign-in.ts';
import { session } from '../session/session.ts';
import { ADMIN_TEXTS } from '../texts/admin.ts';
import { ADMIN_USERS_TEXTS } from '../texts/admin-users.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { doUserAct, type PlainUserAct } from './user-act.ts';

interface Props {
  readonly act: PlainUserAct;
  readonly user: User;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function UserActDialog({ act, user, onDone, onClose }: Props) {
  const texts = ADMIN_USERS_TEXTS.asked[act];
  return (
    <ConfirmDialog
      title={texts.title(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={texts.confirm}
      confirming={texts.confirming}
      isHarmless={act === 'promote' || act === 'makeAuditor' || act === 'enable'}
      onConfirm={async () => {
        const changed = await freshSignIn.tryRun(() => doUserAct(http, act, user));
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
