import { type FormEvent, useId, useState } from 'react';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import { FormVerbs } from '@passwordbroker/ui/inputs/form-verbs';

interface Props {
  readonly fileName: string;
  /** Error about the previous password. */
  readonly problem: string | null;
  readonly onPassword: (password: string) => void;
  readonly onClose: () => void;
}

export function VerifyDialog({ fileName, problem, onPassword, onClose }: Props) {
  const formId = useId();
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const told = isMissing ? TEXTS.verifyPasswordMissing : problem;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === '') setMissing(true);
    else onPassword(password);
  };
  return (
    <Dialog
      title={TEXTS.verifyAgain}
      subtitle={fileName}
      onClose={onClose}
      footer={<FormVerbs form={formId} cancel={TEXTS.verifyCancel} onCancel={onClose} submit={TEXTS.verifyAgain} />}
    >
      <form id={formId} onSubmit={submit} noValidate autoComplete="off">
        {told !== null && <MessageBox tone="danger" lines={[told]} />}
        <p>{TEXTS.verifyWhat}</p>
        <PasswordField
          ref={firstFocus}
          label={TEXTS.verifyPassword}
          hint={TEXTS.verifyPasswordHint}
          value={password}
          onChange={setPassword}
          size="lg"
          isInvalid={told !== null}
        />
      </form>
    </Dialog>
  );
}
