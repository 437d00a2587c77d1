import { type Finding, type SignUpForm, signUpErrors, signUpWarnings } from '@passwordbroker/core/domain/sign-up-rules';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useState } from 'react';
import type { Inviter } from '@passwordbroker/client/session/inviter-fragment';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { EMPTY_SIGN_UP } from './empty-sign-up.ts';
import type { AskPolicy } from '../passwords/judge-passwords.ts';
import { questionOf, strengthsOf } from '../passwords/two-password-question.ts';
import { useJudgedForm } from '../passwords/use-judged-form.ts';
import { session } from '../../page/page.ts';

/** Field names of the server (docs/spec/product.md §8), in display order. */
const SERVER_FIELDS = [
  'user.name',
  'user.email',
  'user.password',
  'user.password_confirmation',
  'user.master_password',
  'user.master_password_confirmation',
  'setup_token',
] as const;

/** Data of an invitation; a missing name can be chosen (docs/spec/decisions.md I4). */
export interface Invited {
  readonly token: string;
  readonly name: string | null;
  readonly email: string;
  /** The inviter whose key is in the link; null without one. */
  readonly inviter: Inviter | null;
}

/** @param invited null for the first user of the server */
export function useSignUp(ask: AskPolicy, invited: Invited | null) {
  const [setupToken, setSetupToken] = useState('');
  const judged = useJudgedForm<SignUpForm, Finding>({
    ask,
    start: () => startOf(invited),
    errorsOf: signUpErrors,
    questionOf,
    warningsOf: (form, strengths) => signUpWarnings(form, strengthsOf(strengths)),
    send: ({ name, email, password, masterPassword }) => {
      const inviter = invited?.inviter ?? null;
      const invite = {
        ...(invited === null ? {} : { inviteToken: invited.token }),
        ...(inviter === null ? {} : { inviter }),
      };
      return session.signUp({
        name: name.trim(),
        email: email.trim(),
        password,
        masterPassword,
        setupToken,
        ...invite,
      });
    },
    refusalOf: (failure) => ({ lines: linesOf(failure) }),
  });
  return { ...judged, setupToken, setSetupToken };
}

const startOf = (invited: Invited | null): SignUpForm =>
  invited === null ? EMPTY_SIGN_UP : { ...EMPTY_SIGN_UP, name: invited.name ?? '', email: invited.email };

/** Error lines of a failed sign-up (docs/spec/product.md §8). */
export function linesOf(failure: unknown): string[] {
  if (failure instanceof AppError) {
    const lines = SERVER_FIELDS.flatMap((field) => failure.errors?.[field] ?? []);
    return lines.length > 0 ? lines : [failure.message];
  }
  return [failure instanceof Error && failure.message !== '' ? failure.message : SIGN_UP_TEXTS.signUpFailed];
}
