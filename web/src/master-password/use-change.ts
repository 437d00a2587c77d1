/** The form of a new master password: its texts, its machine (as in sign-up), how far it is, what was found wrong with it. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { useRef, useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { type AskPolicy, judgePasswords } from '../identity/judge-passwords.ts';
import { type SignUpEvent, type SignUpState, afterEvent } from '../identity/sign-up-states.ts';
import type { ChangePhase } from '../keyring/calls.ts';
import { isLocked, KeyringError } from '../keyring/keyring-error.ts';
import { keyring } from '../keyring/keyring.ts';
import { http } from '../lib/http.ts';
import { session } from '../session/session.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { toast } from '../ui/toast.ts';
import { type ChangeFinding, type ChangeForm, changeErrors, changeWarnings } from './change-rules.ts';
import { changeMasterPassword, ChangeUncertain } from './change-master-password.ts';
import { isWrongMasterPassword } from './master-password.ts';
import { useMasterPassword } from './use-master-password.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;
const EMPTY: ChangeForm = { old: '', next: '', confirmation: '' };

export type ChangeStep = ChangePhase | 'checking' | 'storing';

/** @param onChanged the dialog has nothing more to say */
export function useChange(ask: AskPolicy, onChanged: () => void) {
  const masterPassword = useMasterPassword();
  const machine = useRef<SignUpState>('await');
  const [state, setState] = useState<SignUpState>('await');
  const [form, setForm] = useState(EMPTY);
  const [step, setStep] = useState<ChangeStep>('checking');
  const [findings, setFindings] = useState<readonly ChangeFinding[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  const pass = (event: SignUpEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };
  const found = (event: 'errors' | 'warnings', what: readonly ChangeFinding[]) => {
    setFindings(what);
    pass(event);
  };

  async function submit(): Promise<void> {
    if (afterEvent(machine.current, 'submit') !== 'validating') return;
    pass('submit');
    setStep('checking');
    setFailure(null);
    const errors = changeErrors(form);
    if (errors.length > 0) return found('errors', errors);
    const { user } = session.view();
    const about = user === null ? [] : [user.name, user.email];
    const question = { passwords: [form.next], about };
    const {
      event,
      findings: judged,
      problem,
    } = await judgePasswords(ask, question, (strengths) => changeWarnings(form, strengths[0] ?? null));
    setFailure(problem);
    if (event !== 'clean') return found(event, judged);
    pass('clean');
    return send();
  }

  async function send(): Promise<void> {
    setFindings([]);
    const change = { oldMasterPassword: form.old, newMasterPassword: form.next };
    try {
      await changeMasterPassword({ http, keyring, masterPassword }, change, setStep);
    } catch (reason) {
      const { finding, text } = saidOf(reason);
      if (finding === 'old') setForm((now) => ({ ...now, old: '' }));
      if (finding === null) setFailure(text);
      else setFindings([{ field: finding, text }]);
      pass('refused');
      return;
    }
    activityLog.add(TEXTS.changed);
    toast(TEXTS.changed, { tone: 'success' });
    onChanged();
  }

  return {
    state,
    form,
    step,
    findings,
    failure,
    isBusy: state === 'validating' || state === 'in_process',
    set: (change: Partial<ChangeForm>) => {
      setForm((now) => ({ ...now, ...change }));
      pass('edit');
    },
    submit,
    edit: () => pass('edit'),
    continueAnyway: () => {
      pass('continue');
      return send();
    },
  };
}

/** Only what tried the password may say that it was wrong. */
function saidOf(reason: unknown): { readonly finding: keyof ChangeForm | null; readonly text: string } {
  if (isWrongMasterPassword(reason)) return { finding: 'old', text: MASTER_PASSWORD_TEXTS.invalid };
  if (reason instanceof KeyringError && reason.code === 'unusable_master_password')
    return { finding: 'next', text: reason.message };
  return { finding: null, text: textOf(reason) };
}

function textOf(reason: unknown): string {
  if (reason instanceof ChangeUncertain) return TEXTS.uncertain;
  if (isLocked(reason)) return TEXTS.lockedMeanwhile;
  if (reason instanceof KeyringError && reason.code === 'integrity') return TEXTS.damaged;
  if (reason instanceof AppError && reason.code === 'slot_conflict') return TEXTS.changedElsewhere;
  return reason instanceof Error && reason.message !== '' ? reason.message : TEXTS.failed;
}
