/** Cannot be closed while keys are re-encrypted. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { type SignUpState, useJudgedForm } from '../identity/passwords/use-judged-form.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import {
  type ChangeFinding,
  type ChangeForm,
  choiceErrors,
  choiceWarnings,
} from '@passwordbroker/client/master-password/change-rules';
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

type NewPassword = Omit<ChangeForm, 'old'>;

const EMPTY: NewPassword = { next: '', confirmation: '' };

interface Sending<Step> {
  readonly first: Step;
  readonly send: (newMasterPassword: string, onStep: (step: Step) => void) => Promise<void>;
  /** The text of a refusal. */
  readonly reasonOf: (failure: unknown) => string;
}

/** A new master password where there is no old one to type. */
export function useNewMasterPassword<Step>(ask: AskPolicy, { first, send, reasonOf }: Sending<Step>) {
  const [step, setStep] = useState(first);
  const judged = useJudgedForm<NewPassword, ChangeFinding>({
    ask,
    start: EMPTY,
    onSubmit: () => setStep(first),
    errorsOf: choiceErrors,
    questionOf: choiceQuestion,
    warningsOf: (_form, [strength = null]) => choiceWarnings(strength),
    send: ({ next }) => send(next, setStep),
    refusalOf: (failure) => ({ lines: [reasonOf(failure)] }),
  });
  return { ...judged, step };
}

interface FieldsProps {
  readonly choice: Pick<ReturnType<typeof useNewMasterPassword>, 'form' | 'set'>;
  readonly labels: { readonly next: string; readonly confirmation: string; readonly hint?: string };
}

export function NewMasterPasswordFields({ choice: { form, set }, labels }: FieldsProps) {
  const { next, confirmation, hint } = labels;
  return (
    <>
      <PasswordField
        ref={firstFocus}
        label={next}
        value={form.next}
        onChange={(typed) => set({ next: typed })}
        size="lg"
        {...(hint === undefined ? {} : { hint })}
      />
      <PasswordField
        label={confirmation}
        value={form.confirmation}
        onChange={(typed) => set({ confirmation: typed })}
        size="lg"
        isInvalid={form.confirmation !== '' && form.next !== form.confirmation}
      />
    </>
  );
}
