/** Cannot be closed while keys are re-encrypted. */
import { type FormEvent, type ReactNode, useId } from 'react';
import type { SignUpState } from '../identity/passwords/use-judged-form.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { ChangeFinding } from '@passwordbroker/client/master-password/change-rules';
import styles from './master-password.module.css';
import type { StrengthQuestion } from '../identity/passwords/strength-worker.ts';
import { session } from '../page/page.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;

interface Choice {
  readonly state: SignUpState;
  readonly findings: readonly ChangeFinding[];
  readonly refusals: readonly string[];
  readonly isBusy: boolean;
  readonly submit: () => Promise<void>;
  readonly edit: () => void;
  readonly continueAnyway: () => Promise<void>;
}

interface Props {
  readonly choice: Choice;
  readonly title: string;
  readonly subtitle: string;
  /** `step` is shown while running. */
  readonly texts: { readonly close: string; readonly submit: string; readonly busy: string; readonly step: string };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ChoiceDialog({ choice, title, subtitle, texts, onClose, children }: Props) {
  const formId = useId();
  const { state, findings, refusals, isBusy } = choice;
  const hasWarnings = state === 'validation_returned_warnings';
  const errors =
    state === 'validation_returned_errors' ? [...findings.map(({ text }) => text), ...refusals].map(TEXTS.error) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void choice.submit();
  };
  const footer = hasWarnings ? (
    <>
      <Button key="back" variant="ghost" onPress={choice.edit}>
        {TEXTS.goBack}
      </Button>
      <Button key="continue" variant="primary" onPress={() => void choice.continueAnyway()}>
        {TEXTS.continueAnyway}
      </Button>
    </>
  ) : (
    <FormVerbs
      key="verbs"
      form={formId}
      cancel={texts.close}
      onCancel={onClose}
      submit={texts.submit}
      submitting={texts.busy}
      isBusy={isBusy}
    />
  );
  return (
    <Dialog title={title} subtitle={subtitle} onClose={onClose} isBusy={isBusy} footer={footer}>
      <form id={formId} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
        {children}
        {errors.length > 0 && <MessageBox tone="danger" lines={errors} />}
        {hasWarnings && <MessageBox tone="warning" lines={findings.map(({ text }) => TEXTS.warning(text))} />}
        {isBusy && <ProgressBar label={texts.step} value={null} />}
      </form>
    </Dialog>
  );
}

/** The person's name and e-mail make a password easier to guess. */
export function choiceQuestion({ next }: { readonly next: string }): StrengthQuestion {
  const { user } = session.view();
  return { passwords: [next], about: user === null ? [] : [user.name, user.email] };
}
