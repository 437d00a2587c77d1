import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';

export const EMPTY_SIGN_UP: SignUpForm = {
  name: '',
  email: '',
  password: '',
  passwordConfirmation: '',
  masterPassword: '',
  masterPasswordConfirmation: '',
};
