/** The form of a master password that belongs to new keys: its texts, its machine (as in sign-up), how far it is, what was found wrong with it. */
import { useState } from 'react';
import { tellDone } from '../activity-log/tell.ts';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { useJudgedForm } from '../identity/passwords/use-judged-form.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { NEW_KEYS_TEXTS as TEXTS } from '@passwordbroker/client/texts/new-keys';
import {
  type ChangeFinding,
  type ChangeForm,
  choiceErrors,
  choiceWarnings,
} from '@passwordbroker/client/master-password/change-rules';
import { choiceQuestion } from './choice-question.ts';
import type { MakingStep } from '@passwordbroker/client/master-password/make-own-keys';

type Form = Omit<ChangeForm, 'old'>;

const EMPTY: Form = { next: '', confirmation: '' };

/** @param make makes and stores the keys; what it throws is told */
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
    refusalOf: (reason) => ({ lines: [reasonOf(reason)] }),
  });
  return { ...judged, step };
}
