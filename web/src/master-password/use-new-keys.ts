/** The form of a master password that belongs to new keys: its texts, its machine (as in sign-up), how far it is, what was found wrong with it. */
import { useRef, useState } from 'react';
import { tellDone } from '../activity-log/tell.ts';
import { type AskPolicy, judgePasswords } from '../identity/judge-passwords.ts';
import { type SignUpEvent, type SignUpState, afterEvent } from '../identity/sign-up-states.ts';
import { reasonOf } from '../lib/reason.ts';
import { session } from '../session/session.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '../texts/new-keys.ts';
import { type ChangeFinding, choiceErrors, choiceWarnings } from './change-rules.ts';
import type { MakingStep } from './make-own-keys.ts';

const EMPTY = { next: '', confirmation: '' };
type Form = typeof EMPTY;

/** @param make makes and stores the keys; what it throws is told */
export function useNewKeys(
  ask: AskPolicy,
  make: (newMasterPassword: string, onStep: (step: MakingStep) => void) => Promise<void>,
) {
  const machine = useRef<SignUpState>('await');
  const [state, setState] = useState<SignUpState>('await');
  const [form, setForm] = useState(EMPTY);
  const [step, setStep] = useState<MakingStep>('checking');
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
    const errors = choiceErrors(form);
    if (errors.length > 0) return found('errors', errors);
    const { user } = session.view();
    const about = user === null ? [] : [user.name, user.email];
    const question = { passwords: [form.next], about };
    const {
      event,
      findings: judged,
      problem,
    } = await judgePasswords(ask, question, (strengths) => choiceWarnings(strengths[0] ?? null));
    setFailure(problem);
    if (event !== 'clean') return found(event, judged);
    pass('clean');
    return send();
  }

  async function send(): Promise<void> {
    setFindings([]);
    try {
      await make(form.next, setStep);
      tellDone(TEXTS.done);
    } catch (reason) {
      setFailure(reasonOf(reason));
      pass('refused');
    }
  }

  return {
    state,
    form,
    step,
    findings,
    failure,
    isBusy: state === 'validating' || state === 'in_process',
    set: (change: Partial<Form>) => {
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
