import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '@passwordbroker/client/texts/new-keys';
import { firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { ChoiceDialog, choiceQuestion } from './choice-dialog.tsx';
import type { MakingStep } from '@passwordbroker/client/master-password/make-own-keys';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { SSO_TEXTS } from '../texts/identity/sso.ts';
import { useState } from 'react';
import { tellDone } from '../activity-log/activity-log.ts';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { useJudgedForm } from '../identity/passwords/use-judged-form.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import {
  type ChangeFinding,
  type ChangeForm,
  choiceErrors,
  choiceWarnings,
} from '@passwordbroker/client/master-password/change-rules';

interface Props {
  readonly reason: string;
  readonly make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>;
  /** Closes the dialog and locks the vault. */
  readonly onLater: () => void;
}

export function NewKeysDialog({ reason, make, onLater }: Props) {
  const { ask } = useSiteRules();
  const keys = useNewKeys(ask, make);
  const { form, set } = keys;
  const texts = { close: TEXTS.later, submit: TEXTS.submit, busy: TEXTS.making, step: TEXTS.steps[keys.step] };
  return (
    <ChoiceDialog choice={keys} title={TEXTS.title} subtitle={reason} texts={texts} onClose={onLater}>
      <PasswordField
        ref={firstFocus}
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
    </ChoiceDialog>
  );
}

type Form = Omit<ChangeForm, 'old'>;

const EMPTY: Form = { next: '', confirmation: '' };

/** @param make creates and stores the keys */
export function useNewKeys(
  ask: AskPolicy,
  make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>,
) {
  const [step, setStep] = useState<MakingStep>('checking');
  const judged = useJudgedForm<Form, ChangeFinding>({
    ask,
    start: EMPTY,
    onSubmit: () => setStep('checking'),
    errorsOf: choiceErrors,
    questionOf: choiceQuestion,
    warningsOf: (_form, [strength = null]) => choiceWarnings(strength),
    send: async ({ next }) => {
      await make(next, setStep);
      tellDone(TEXTS.done);
    },
    refusalOf: (reason) => ({
      lines: [reason instanceof ConfirmationCancelled ? SSO_TEXTS.confirm.failed : reasonOf(reason)],
    }),
  });
  return { ...judged, step };
}
