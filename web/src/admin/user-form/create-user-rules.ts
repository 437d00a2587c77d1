import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';

/** Whether each password equals its confirmation; the form is sent only if both do. */
export function pairsOf(form: SignUpForm): { readonly password: boolean; readonly masterPassword: boolean } {
  return {
    password: form.password === form.passwordConfirmation,
    masterPassword: form.masterPassword === form.masterPasswordConfirmation,
  };
}

type PasswordName = Extract<keyof SignUpForm, `${string}assword${string}`>;

/** Non-empty password fields without a digit, for a hint (docs/spec/product.md §5). */
export function withoutDigit(form: SignUpForm): ReadonlySet<PasswordName> {
  const names = (Object.keys(form) as (keyof SignUpForm)[]).filter((name): name is PasswordName =>
    /password/i.test(name),
  );
  return new Set(names.filter((name) => form[name] !== '' && !/\d/.test(form[name])));
}
