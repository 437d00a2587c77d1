/** docs/spec/product.md §5, §8 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { urlOf } from '@passwordbroker/core/domain/url';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { Session } from '@passwordbroker/client/session/session';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity/identity.ts';
import { AnswerError } from '@passwordbroker/client/transport/answers';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

export interface LoginForm {
  readonly serverUrl: string;
  readonly email: string;
  readonly password: string;
}

/** Empty if the form may be sent. */
export function missingLines({ serverUrl, email, password }: LoginForm): string[] {
  return [
    ...(serverUrl.trim() === '' ? [TEXTS.serverUrlMissing] : []),
    ...(email.trim() === '' ? [TEXTS.emailMissing] : []),
    ...(password === '' ? [TEXTS.passwordMissing] : []),
  ];
}

/** Returns error lines, empty when signed in; or the refusal that asks for a second factor. */
export async function logIn(
  form: LoginForm,
  session: Pick<Session, 'reachServer' | 'logIn' | 'logInAt'>,
  ownOrigin = location.origin,
): Promise<string[] | AppError> {
  const missing = missingLines(form);
  if (missing.length > 0) return missing;
  const server = serverOf(form.serverUrl);
  if (server === null) return [TEXTS.noConnection(form.serverUrl.trim())];
  if (server.origin !== ownOrigin) return logInAt(server, form, session);
  try {
    await session.reachServer();
  } catch (failure) {
    return [failure instanceof NetworkError ? TEXTS.noConnection(server.host) : TEXTS.loginFailed];
  }
  try {
    await session.logIn(form.email.trim(), form.password);
    return [];
  } catch (failure) {
    return refusalOf(failure);
  }
}

/** Signs in at another server, by a token (docs/spec/decisions.md I2). */
async function logInAt(server: URL, form: LoginForm, session: Pick<Session, 'logInAt'>): Promise<string[] | AppError> {
  try {
    await session.logInAt(server.origin, form.email.trim(), form.password);
    return [];
  } catch (failure) {
    // A browser reports a CORS refusal like an unreachable server.
    if (failure instanceof NetworkError) return [TEXTS.noConnection(server.host), TEXTS.maybeNotAdmitted];
    // Other errors come from the browser's storage (text: docs/spec/product.md §8).
    return failure instanceof AppError || failure instanceof AnswerError ? refusalOf(failure) : [reasonOf(failure)];
  }
}

function refusalOf(failure: unknown): string[] | AppError {
  if (!(failure instanceof AppError)) return [TEXTS.loginFailed];
  if (failure.code === 'second_factor_required') return failure;
  const texts = Object.values(failure.errors ?? {}).flat();
  return texts.length > 0 ? texts : [failure.message];
}

function serverOf(text: string): URL | null {
  const url = urlOf(text.trim());
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}
