import { AppError } from '@passwordbroker/core/contract/problem';
import { useState } from 'react';
import { tellDone } from '../activity-log/tell.ts';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { useJudgedForm } from '../identity/passwords/use-judged-form.ts';
import type { ChangePhase } from '@passwordbroker/client/keyring/calls';
import { isLocked, KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import {
  type ChangeFinding,
  type ChangeForm,
  changeErrors,
  changeWarnings,
} from '@passwordbroker/client/master-password/change-rules';
import { changeMasterPassword, ChangeUncertain } from '@passwordbroker/client/master-password/change-master-password';
import { choiceQuestion } from './choice-question.ts';
import { isWrongMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { weakMasterPassword } from './weak-master-password.ts';
import { useMasterPassword } from './use-master-password.ts';
import { keyring } from '../page/vault.ts';
import { http } from '../page/page.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;
const EMPTY: ChangeForm = { old: '', next: '', confirmation: '' };

export type ChangeStep = ChangePhase | 'checking' | 'storing';

/** @param onChanged closes the dialog */
export function useChange(ask: AskPolicy, onChanged: () => void) {
  const masterPassword = useMasterPassword();
  const [step, setStep] = useState<ChangeStep>('checking');
  const judged = useJudgedForm<ChangeForm, ChangeFinding>({
    ask,
    start: EMPTY,
    onSubmit: () => setStep('checking'),
    errorsOf: changeErrors,
    questionOf: choiceQuestion,
    warningsOf: (form, [strength = null]) => changeWarnings(form, strength),
    send: async (form) => {
      const change = { oldMasterPassword: form.old, newMasterPassword: form.next };
      await changeMasterPassword({ http, keyring, masterPassword }, change, setStep);
      weakMasterPassword.changed();
      tellDone(TEXTS.changed);
      onChanged();
    },
    refusalOf,
  });
  return { ...judged, step };
}

/** Only the attempt with the old password can show that it is wrong. */
function refusalOf(reason: unknown) {
  if (isWrongMasterPassword(reason))
    return { findings: [{ field: 'old' as const, text: MASTER_PASSWORD_TEXTS.invalid }], cleared: { old: '' } };
  if (reason instanceof KeyringError && reason.code === 'unusable_master_password')
    return { findings: [{ field: 'next' as const, text: reason.message }] };
  return { lines: [textOf(reason)] };
}

function textOf(reason: unknown): string {
  if (reason instanceof ChangeUncertain) return TEXTS.uncertain;
  if (isLocked(reason)) return TEXTS.lockedMeanwhile;
  if (reason instanceof KeyringError && reason.code === 'integrity') return TEXTS.damaged;
  if (reason instanceof AppError && reason.code === 'slot_conflict') return TEXTS.changedElsewhere;
  return reason instanceof Error && reason.message !== '' ? reason.message : TEXTS.failed;
}
