/** Removes all second factors of a user, and shows the code to hand over. Only this dialog's state holds it. */
import { reset } from '@passwordbroker/core/contract/account/factors';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/users/user';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { useState } from 'react';
import { SecretLine } from '../../fields/value/secret-line.tsx';
import { formatTime } from '../../lib/format.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import account from '../../account/account.module.css';
import { ADMIN_SIGN_IN_TEXTS } from '../../texts/admin/sign-in.ts';

const TEXTS = ADMIN_SIGN_IN_TEXTS.reset;

interface Props {
  readonly user: User;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function FactorResetDialog({ user, onDone, onClose }: Props) {
  const [done, setDone] = useState<AnswerOf<typeof reset> | null>(null);
  if (done !== null)
    return <ShownCode name={user.name} code={done.recovery_code} until={done.expires_at} onClose={onClose} />;
  const confirm = async () => {
    const answer = await freshSignIn.tryRun(() => http.call(reset, { params: { id: user.user_id } }));
    if (answer === null) return;
    setDone(answer);
    await onDone();
  };
  return (
    <ConfirmDialog
      title={TEXTS.title(user.name)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.confirm}
      confirming={TEXTS.confirming}
      onConfirm={confirm}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.text(user.name)}</p>
    </ConfirmDialog>
  );
}

interface CodeProps extends Pick<Props, 'onClose'> {
  readonly name: string;
  readonly code: string;
  readonly until: string;
}

function ShownCode({ name, code, until, onClose }: CodeProps) {
  return (
    <Dialog
      title={TEXTS.shown(name)}
      mustAnswer
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          {TEXTS.done}
        </Button>
      }
    >
      <div className={account['form']}>
        <MessageBox tone="warning" title={TEXTS.once} lines={[TEXTS.until(formatTime(until))]} />
        <SecretLine secret={code} copyLabel={TEXTS.copy} />
      </div>
    </Dialog>
  );
}
