import type { User } from '@passwordbroker/core/contract/users/user';
import { register } from '@passwordbroker/core/contract/users/users';
import { AppError } from '@passwordbroker/core/contract/problem';
import { type SignUpForm, signUpErrors, signUpWarnings } from '@passwordbroker/core/domain/sign-up-rules';
import { type AskPolicy, judgePasswords, questionOf, strengthsOf } from '../../identity/passwords/judge-passwords.ts';
import type { Keyring } from '@passwordbroker/client/keyring/keyring';
import type { Http } from '@passwordbroker/client/transport/http';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { freshSignIn } from '../../page/vault.ts';

interface Verdict {
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

/** Checks the form like sign-up. A weak password is a warning, or an error under the policy `strict` (K8). */
export async function verdictOn(form: SignUpForm, ask: AskPolicy): Promise<Verdict> {
  const errors = signUpErrors(form).map(({ text }) => text);
  if (errors.length > 0) return { refusals: errors, warnings: [] };
  const { event, findings, problem } = await judgePasswords(ask, questionOf(form), (strengths) =>
    signUpWarnings(form, strengthsOf(strengths)),
  );
  const found = findings.map(({ text }) => text);
  if (event === 'errors') return { refusals: problem === null ? found : [...found, problem], warnings: [] };
  return { refusals: [], warnings: found };
}

/**
 * This browser creates the keys, so the master password is never sent (docs/spec/decisions.md K7). Returns
 * null if
 * the person cancelled the password dialog. @throws AppError with `errors` by `user.…`; NetworkError;
 * KeyringError
 */
export async function createUser(
  http: Pick<Http, 'call'>,
  keyring: Pick<Keyring, 'createAccount'>,
  form: SignUpForm,
): Promise<User | null> {
  const userId = crypto.randomUUID();
  const { keyBundle, trust } = await keyring.createAccount({ userId, masterPassword: form.masterPassword });
  const user = {
    user_id: userId,
    username: form.name.trim(),
    email: form.email.trim(),
    password: form.password,
    password_confirmation: form.passwordConfirmation,
    key_bundle: keyBundle,
    documents: [{ name: trust.name, blob_base64: trust.blob_base64 }],
  };
  return freshSignIn.tryRun(() => http.call(register, { body: { user } }));
}

/** The server's error, one line for each field. */
export function refusedLines(failure: unknown): string[] {
  const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
  return texts.length > 0 ? texts : [reasonOf(failure)];
}

/** Whether each password equals its confirmation; only then the form is sent. */
export function pairsOf(form: SignUpForm): { readonly password: boolean; readonly masterPassword: boolean } {
  return {
    password: form.password === form.passwordConfirmation,
    masterPassword: form.masterPassword === form.masterPasswordConfirmation,
  };
}

type PasswordName = Extract<keyof SignUpForm, `${string}assword${string}`>;

/** Non-empty passwords without a digit, for a hint (docs/spec/product.md §5). */
export function withoutDigit(form: SignUpForm): ReadonlySet<PasswordName> {
  const names = (Object.keys(form) as (keyof SignUpForm)[]).filter((name): name is PasswordName =>
    /password/i.test(name),
  );
  return new Set(names.filter((name) => form[name] !== '' && !/\d/.test(form[name])));
}
