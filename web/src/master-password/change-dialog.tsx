import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import {
  type ChangeForm,
  type ChangeFinding,
  changeErrors,
  changeWarnings,
} from '@passwordbroker/client/master-password/change-rules';
import { ChoiceDialog, choiceQuestion } from './choice-dialog.tsx';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useState } from 'react';
import { tellDone } from '../activity-log/activity-log.ts';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { useJudgedForm } from '../identity/passwords/use-judged-form.ts';
import type { ChangePhase } from '@passwordbroker/client/keyring/calls';
import { isLocked, KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { changeMasterPassword } from '@passwordbroker/client/master-password/change-master-password';
import { isWrongMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { weakMasterPassword } from './weak-master-password.ts';
import { useMasterPassword } from './use-master-password.ts';
import { keyring } from '../page/vault.ts';
import { http } from '../page/page.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;

export function ChangeDialog({ onClose }: { readonly onClose: () => void }) {
  const { ask } = useSiteRules();
  const change = useChange(ask, onClose);
  const { state, form, step, findings, set } = change;
  const invalid = (field: keyof ChangeForm) =>
    state === 'validation_returned_errors' && findings.some((finding) => finding.field === field);
  const differs = form.confirmation !== '' && form.next !== form.confirmation;
  const texts = {
    close: MASTER_PASSWORD_TEXTS.cancel,
    submit: TEXTS.submit,
    busy: TEXTS.changing,
    step: TEXTS.steps[step],
  };
  return (
    <ChoiceDialog choice={change} title={TEXTS.title} subtitle={TEXTS.subtitle} texts={texts} onClose={onClose}>
      <PasswordField
        ref={firstFocus}
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
    </ChoiceDialog>
  );
}

const EMPTY: ChangeForm = { old: '', next: '', confirmation: '' };

export type ChangeStep = ChangePhase | 'checking' | 'storing';

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
  if (isLocked(reason)) return TEXTS.lockedMeanwhile;
  if (reason instanceof KeyringError && reason.code === 'integrity') return TEXTS.damaged;
  if (reason instanceof AppError && reason.code === 'slot_conflict') return TEXTS.changedElsewhere;
  return reason instanceof Error && reason.message !== '' ? reason.message : TEXTS.failed;
}
