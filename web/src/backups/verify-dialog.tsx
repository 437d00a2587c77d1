import { type FormEvent, useId, useState } from 'react';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { type Backup, verify } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useQueryClient } from '@tanstack/react-query';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { BACKUPS_KEY } from './use-backups.ts';
import { http } from '../page/page.ts';

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

/** As long as a recovery of the same file may take. */
const SILENCE_MS = 30 * 60_000;

type VerifyState =
  | { readonly state: 'idle' | 'verifying' }
  | { readonly state: 'asking'; readonly problem: string | null };

/** Null for other errors. */
export function passwordProblem(failure: unknown): string | null {
  if (!(failure instanceof AppError) || failure.code !== 'validation') return null;
  return failure.errors?.['password']?.[0] ?? null;
}

export function useVerify({ backup_id, file_name, has_password }: Backup) {
  const client = useQueryClient();
  const [view, setView] = useState<VerifyState>({ state: 'idle' });

  async function verifyWith(password: string | undefined): Promise<void> {
    setView({ state: 'verifying' });
    const body = password === undefined ? {} : { password };
    try {
      await http.call(verify, { params: { id: backup_id }, body, silenceMs: SILENCE_MS });
      tellDone(TEXTS.verifiedNow(file_name));
    } catch (failure) {
      const problem = passwordProblem(failure);
      if (problem !== null) return setView({ state: 'asking', problem });
      tellFailure(TEXTS.verifyFailed(reasonOf(failure)));
    }
    // The row has also changed if the backup is damaged.
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    setView({ state: 'idle' });
  }

  return {
    view,
    begin: () => (has_password ? setView({ state: 'asking', problem: null }) : void verifyWith(undefined)),
    verifyWith,
    giveUp: () => setView({ state: 'idle' }),
  };
}
