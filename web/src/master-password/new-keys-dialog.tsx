/** A master password of one's own and new keys with it. It cannot be put off with the vault open: whoever closes it locks the vault. */
import { useEffect, useId, useRef, type FormEvent } from 'react';
import { useSiteRules } from '../identity/use-site-rules.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '../texts/new-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { MakingStep } from './make-own-keys.ts';
import styles from './master-password.module.css';
import { useNewKeys } from './use-new-keys.ts';

interface Props {
  /** Why the keys are made now. */
  readonly reason: string;
  readonly make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>;
  /** Closes it for now, and the vault with it. */
  readonly onLater: () => void;
}

const CHANGE = MASTER_PASSWORD_TEXTS.change;

export function NewKeysDialog({ reason, make, onLater }: Props) {
  const formId = useId();
  const first = useRef<HTMLInputElement>(null);
  const { ask } = useSiteRules();
  const keys = useNewKeys(ask, make);
  const { state, form, findings, failure, isBusy, set } = keys;
  const hasWarnings = state === 'validation_returned_warnings';
  const hasErrors = state === 'validation_returned_errors';
  // After the dialog has opened: an input that is focused before is left again by it.
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void keys.submit();
  };
  const errors = [...findings.map(({ text }) => text), ...(failure === null ? [] : [failure])].map(CHANGE.error);
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={reason}
      onClose={onLater}
      isBusy={isBusy}
      footer={
        hasWarnings ? (
          <>
            <Button key="back" variant="ghost" onPress={keys.edit}>
              {CHANGE.goBack}
            </Button>
            <Button key="continue" variant="primary" onPress={() => void keys.continueAnyway()}>
              {CHANGE.continueAnyway}
            </Button>
          </>
        ) : (
          <>
            <Button key="later" variant="ghost" onPress={onLater} isDisabled={isBusy}>
              {TEXTS.later}
            </Button>
            <Button key="submit" variant="primary" type="submit" form={formId} busy={isBusy} busyLabel={TEXTS.making}>
              {TEXTS.submit}
            </Button>
          </>
        )
      }
    >
      <form id={formId} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
        <PasswordField
          ref={first}
          label={TEXTS.next}
          value={form.next}
          onChange={(next) => set({ next })}
          size="lg"
          hint={TEXTS.hint}
        />
        <PasswordField
          label={TEXTS.confirmation}
          value={form.confirmation}
          onChange={(confirmation) => set({ confirmation })}
          size="lg"
          isInvalid={form.confirmation !== '' && form.next !== form.confirmation}
        />
        {hasErrors && errors.length > 0 && <MessageBox tone="danger" lines={errors} />}
        {hasWarnings && <MessageBox tone="warning" lines={findings.map(({ text }) => CHANGE.warning(text))} />}
        {isBusy && <ProgressBar label={TEXTS.steps[keys.step]} value={null} />}
      </form>
    </Dialog>
  );
}
