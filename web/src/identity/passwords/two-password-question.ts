import type { SignUpForm, Strengths } from '@passwordbroker/core/domain/sign-up-rules';
import type { StrengthQuestion } from './strength-worker.ts';

export const questionOf = ({ password, masterPassword, name, email }: SignUpForm): StrengthQuestion => ({
  passwords: [password, masterPassword],
  about: [name, email],
});

export const strengthsOf = ([password = null, masterPassword = null]: readonly (number | null)[]): Strengths => ({
  password,
  masterPassword,
});
