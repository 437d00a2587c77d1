/** Who is signed in on this page. The account password passes through; nothing of it is kept. */
import type { User } from '@passwordbroker/core/contract/entities';
import { csrfCookie, login, logout, me } from '@passwordbroker/core/contract/session';
import { type Keyring, keyring } from '../keyring/keyring.ts';
import { type Tabs, tabs } from '../keyring/tabs.ts';
import { loadChunk } from '../lib/chunk.ts';
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

/** Every tab of the browser has the same session: what one learns of its end, or of another person's, it tells the others. */
export function createSession(http: Http, keyring: Pick<Keyring, 'createAccount' | 'lock' | 'setOwner'>, tabs: Tabs) {
  let view: SessionView = { status: 'loading', ...NOBODY };
  let checking: Promise<void> | null = null;
  let isOutdated = false;
  const listeners = new Set<() => void>();

  function enter(event: AuthEvent, who: Omit<SessionView, 'status'>) {
    view = { status: afterEvent(view.status, event), ...who };
    http.setSignedIn(view.status === 'logged-in');
    for (const listener of listeners) listener();
  }

  async function askWhoIAm(): Promise<void> {
    isOutdated = false;
    const found = await http.call(me).catch(() => null);
    // Somebody signed in or out meanwhile: what was found may be about the former person.
    if (isOutdated) return askWhoIAm();
    if (found === null) enter('check failed', NOBODY);
    else enter(found.message, { user: found.user, sessionId: found.session_id });
  }

  /** Asks the server who is calling; several askers share one call. */
  function check(): Promise<void> {
    checking ??= (enter('check', NOBODY), askWhoIAm()).finally(() => {
      checking = null;
    });
    return checking;
  }

  /** The view of the former person ends, and the server is asked who it is now. */
  function becomeWhoItIs() {
    isOutdated = true;
    void check();
  }

  function signedIn(who: Omit<SessionView, 'status'>) {
    isOutdated = true;
    tabs.tell('signed in');
    enter('signed in', who);
  }

  http.onSessionEnded(() => {
    tabs.tell('signed out');
    enter('logged out', NOBODY);
  });
  tabs.listen((message) => {
    if (message === 'signed in' || (message === 'signed out' && checking !== null)) becomeWhoItIs();
    else if (message === 'signed out') enter('logged out', NOBODY);
  });
  keyring.setOwner({
    userId: () => view.user?.user_id ?? null,
    onOther() {
      tabs.tell('signed in');
      becomeWhoItIs();
    },
  });

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Never throws. */
    check,

    /** Gets the token that signing in needs, unless it is there (specification §7). @throws NetworkError, AppError, AnswerError */
    async reachServer(): Promise<void> {
      if (!http.hasXsrfToken()) await http.call(csrfCookie);
    },

    /** @throws AppError 'invalid_credentials', 'validation', 'too_many_requests'; NetworkError */
    async logIn(email: string, password: string): Promise<void> {
      const { user } = await http.call(login, { body: { email, password } });
      const { session_id: sessionId } = await http.call(me);
      signedIn({ user, sessionId });
    },

    /** Makes the keys in this browser and sends them locked; the master password goes nowhere. @throws AppError with `errors` by `user.…` */
    async signUp({ name, email, password, masterPassword, setupToken }: NewAccount): Promise<void> {
      const userId = crypto.randomUUID();
      const [{ register }, keyBundle] = await Promise.all([
        loadChunk('users', () => import('@passwordbroker/core/contract/users')),
        keyring.createAccount({ userId, masterPassword }),
      ]);
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
      if (who === null) await check();
      else signedIn({ user, sessionId: who.session_id });
    },

    /**
     * Ends the session here, in the other tabs and on the server. The keys are dropped first, whatever the server answers.
     * @throws NetworkError, AppError, AnswerError: then the server did not say that the session is over
     */
    async logOut(): Promise<void> {
      keyring.lock();
      tabs.tell('signed out');
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
export const session: Session = createSession(http, keyring, tabs);

proveCalls(http, keyring, () => session.view().sessionId);
