/** What the Create User form shows while it is filled in, and what keeps it from being sent (docs/spec/product.md §5). */
import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';

/** Whether each pair is equal: both must hold, else nothing is sent. */
export function pairsOf(form: SignUpForm): { readonly password: boolean; readonly masterPassword: boolean } {
  return {
    password: form.password === form.passwordConfirmation,
    masterPassword: form.masterPassword === form.masterPasswordConfirmation,
  };
}

type PasswordName = Extract<keyof SignUpForm, `${string}assword${string}`>;

/** The fields whose name speaks of a password, and that hold something without a digit. A flag, no bar: passwords _should_ have one. */
export function withoutDigit(form: SignUpForm): ReadonlySet<PasswordName> {
  const names = (Object.keys(form) as (keyof SignUpForm)[]).filter((name): name is PasswordName =>
    /password/i.test(name),
  );
  return new Set(names.filter((name) => form[name] !== '' && !/\d/.test(form[name])));
}
