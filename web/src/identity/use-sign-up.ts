/** The sign-up form: its texts, its machine, and what was found wrong with it. */
import { type Finding, type SignUpForm, signUpErrors, signUpWarnings } from '@passwordbroker/core/domain/sign-up-rules';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useState } from 'react';
import { session } from '../session/session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';
import { EMPTY_SIGN_UP } from './empty-sign-up.ts';
import { type AskPolicy, judgePasswords } from './judge-passwords.ts';
import { type SignUpEvent, type SignUpState, afterEvent } from './sign-up-states.ts';
import { questionOf, strengthsOf } from './two-password-question.ts';

/** The server's names of the fields (specification §8), in its order. */
const SERVER_FIELDS = [
  'user.name',
  'user.email',
  'user.password',
  'user.password_confirmation',
  'user.master_password',
  'user.master_password_confirmation',
  'setup_token',
] as const;

/** What an invitation says of the person who accepts it; a name that it does not give is free to choose (decision I4). */
export interface Invited {
  readonly token: string;
  readonly name: string | null;
  readonly email: string;
}

/** @param invited null: the first user of the server */
export function useSignUp(ask: AskPolicy, invited: Invited | null) {
  const [state, setState] = useState<SignUpState>('await');
  const [form, setForm] = useState(() => startOf(invited));
  const [setupToken, setSetupToken] = useState('');
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const pass = (event: SignUpEvent) => setState((now) => afterEvent(now, event));

  const found = (event: 'errors' | 'warnings', what: readonly Finding[]) => {
    setFindings(what);
    pass(event);
  };

  async function submit(): Promise<void> {
    if (afterEvent(state, 'submit') !== 'validating') return;
    pass('submit');
    setRefusals([]);
    const errors = signUpErrors(form);
    if (errors.length > 0) return found('errors', errors);
    const {
      event,
      findings: judged,
      problem,
    } = await judgePasswords(ask, questionOf(form), (strengths) => signUpWarnings(form, strengthsOf(strengths)));
    if (problem !== null) setRefusals([problem]);
    if (event !== 'clean') return found(event, judged);
    pass('clean');
    return send();
  }

  async function send(): Promise<void> {
    setFindings([]);
    try {
      const { name, email, password, masterPassword } = form;
      const invite = invited === null ? {} : { inviteToken: invited.token };
      await session.signUp({ name: name.trim(), email: email.trim(), password, masterPassword, setupToken, ...invite });
    } catch (failure) {
      setRefusals(linesOf(failure));
      pass('refused');
    }
  }

  return {
    state,
    form,
    setupToken,
    setSetupToken,
    findings,
    refusals,
    set: (change: Partial<SignUpForm>) => {
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

const startOf = (invited: Invited | null): SignUpForm =>
  invited === null ? EMPTY_SIGN_UP : { ...EMPTY_SIGN_UP, name: invited.name ?? '', email: invited.email };

function linesOf(failure: unknown): string[] {
  if (failure instanceof AppError) {
    const lines = SERVER_FIELDS.flatMap((field) => failure.errors?.[field] ?? []);
    return lines.length > 0 ? lines : [failure.message];
  }
  return [failure instanceof Error && failure.message !== '' ? failure.message : TEXTS.signUpFailed];
}
