/** Who is signed in on this page. The account password passes through; nothing of it is kept. */
import type { User } from '@passwordbroker/core/contract/entities';
import { csrfCookie, login, logout, me } from '@passwordbroker/core/contract/session';
import { register } from '@passwordbroker/core/contract/users';
import { type Keyring, keyring } from '../keyring/keyring.ts';
import { type Http, http } from '../lib/http.ts';
import { proveCalls } from './prove-calls.ts';
import { type AuthEvent, type AuthStatus, afterEvent } from './auth-status.ts';

export interface SessionView {
  readonly status: AuthStatus;
  readonly user: User | null;
  /** Public id of the session, for proofs. */
  readonly sessionId: string | null;
}

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly setupToken: string;
}

const NOBODY = { user: null, sessionId: null } as const;

export function createSession(http: Http, keyring: Pick<Keyring, 'createAccount' | 'lock'>) {
  let view: SessionView = { status: 'loading', ...NOBODY };
  let checking: Promise<void> | null = null;
  const listeners = new Set<() => void>();

  function enter(event: AuthEvent, who: Omit<SessionView, 'status'>) {
    view = { status: afterEvent(view.status, event), ...who };
    http.setSignedIn(view.status === 'logged-in');
    for (const listener of listeners) listener();
  }

  async function askWhoIAm(): Promise<void> {
    try {
      const { message, user, session_id: sessionId } = await http.call(me);
      enter(message, { user, sessionId });
    } catch {
      enter('check failed', NOBODY);
    }
  }

  http.onSessionEnded(() => enter('logged out', NOBODY));

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Asks the server who is calling; several askers share one call. Never throws. */
    check(): Promise<void> {
      checking ??= (enter('check', NOBODY), askWhoIAm()).finally(() => {
        checking = null;
      });
      return checking;
    },

    /** Gets the token that signing in needs, unless it is there (specification §7). @throws NetworkError, AppError, AnswerError */
    async reachServer(): Promise<void> {
      if (!http.hasXsrfToken()) await http.call(csrfCookie);
    },

    /** @throws AppError 'invalid_credentials', 'validation', 'too_many_requests'; NetworkError */
    async logIn(email: string, password: string): Promise<void> {
      const { user } = await http.call(login, { body: { email, password } });
      const { session_id: sessionId } = await http.call(me);
      enter('signed in', { user, sessionId });
    },

    /** Makes the keys in this browser and sends them locked; the master password goes nowhere. @throws AppError with `errors` by `user.…` */
    async signUp({ name, email, password, masterPassword, setupToken }: NewAccount): Promise<void> {
      const userId = crypto.randomUUID();
      const keyBundle = await keyring.createAccount({ userId, masterPassword });
      const user = await http.call(register, {
        body: {
          user: {
            user_id: userId,
            username: name,
            email,
            password,
            password_confirmation: password,
            key_bundle: keyBundle,
          },
          ...(setupToken === '' ? {} : { setup_token: setupToken }),
        },
      });
      const who = await http.call(me).catch(() => null);
      // The account is there, so the form must not stay: whoever asks again finds the session, or signs in.
      if (who === null) await this.check();
      else enter('signed in', { user, sessionId: who.session_id });
    },

    /** Ends the session here and on the server. The keys are dropped first, whatever the server answers. */
    async logOut(): Promise<void> {
      keyring.lock();
      try {
        await http.call(logout);
      } finally {
        enter('logged out', NOBODY);
      }
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** The session of this page. */
export const session: Session = createSession(http, keyring);

proveCalls(http, keyring, () => session.view().sessionId);
