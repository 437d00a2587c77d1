/** Old, new, confirmation; errors block, warnings may be continued, as in sign-up. While the keys are locked anew it stays open. */
import { useEffect, useId, useRef, type FormEvent } from 'react';
import { useSiteRules } from '../identity/use-site-rules.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { ChangeForm } from './change-rules.ts';
import styles from './master-password.module.css';
import { useChange } from './use-change.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;

export function ChangeDialog({ onClose }: { readonly onClose: () => void }) {
  const formId = useId();
  const first = useRef<HTMLInputElement>(null);
  const { ask } = useSiteRules();
  const change = useChange(ask, onClose);
  const { state, form, step, findings, failure, isBusy, set } = change;
  const hasWarnings = state === 'validation_returned_warnings';
  const hasErrors = state === 'validation_returned_errors';
  const invalid = (field: keyof ChangeForm) => hasErrors && findings.some((finding) => finding.field === field);
  const differs = form.confirmation !== '' && form.next !== form.confirmation;
  // After the dialog has opened: an input that is focused before is left again by it.
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.submit();
  };
  const errors = [
    ...findings.map(({ text }) => TEXTS.error(text)),
    ...(failure === null ? [] : [TEXTS.error(failure)]),
  ];

  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.subtitle}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        hasWarnings ? (
          <>
            <Button key="back" variant="ghost" onPress={change.edit}>
              {TEXTS.goBack}
            </Button>
            <Button key="continue" variant="primary" onPress={() => void change.continueAnyway()}>
              {TEXTS.continueAnyway}
            </Button>
          </>
        ) : (
          <>
            <Button key="cancel" variant="ghost" onPress={onClose} isDisabled={isBusy}>
              {MASTER_PASSWORD_TEXTS.cancel}
            </Button>
            <Button key="submit" variant="primary" type="submit" form={formId} busy={isBusy} busyLabel={TEXTS.changing}>
              {TEXTS.submit}
            </Button>
          </>
        )
      }
    >
      <form id={formId} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
        <PasswordField
          ref={first}
          label={TEXTS.old}
          value={form.old}
          onChange={(old) => set({ old })}
          size="lg"
          isInvalid={invalid('old')}
        />
        <PasswordField
          label={TEXTS.next}
          value={form.next}
          onChange={(next) => set({ next })}
          size="lg"
          hint={TEXTS.hint}
          isInvalid={invalid('next')}
        />
        <PasswordField
          label={TEXTS.confirmation}
          value={form.confirmation}
          onChange={(confirmation) => set({ confirmation })}
          size="lg"
          isInvalid={invalid('confirmation') || differs}
        />
        {hasErrors && errors.length > 0 && <MessageBox tone="danger" lines={errors} />}
        {hasWarnings && <MessageBox tone="warning" lines={findings.map(({ text }) => TEXTS.warning(text))} />}
        {isBusy && <ProgressBar label={TEXTS.steps[step]} value={null} />}
      </form>
    </Dialog>
  );
}
