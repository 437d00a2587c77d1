/** Who is signed in on this page. The account password passes through; nothing of it is kept. */
import type { User } from '@passwordbroker/core/contract/entities';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { login, logout, me } from '@passwordbroker/core/contract/account/session';
import { csrfCookie, LOGIN, LOGOUT, ME } from '@passwordbroker/core/contract/account/session-calls';
import type { Keyring } from '../keyring/keyring.ts';
import type { Tabs } from '../keyring/lock/tabs.ts';
import type { Load } from '../load.ts';
import type { Http } from '../transport/http.ts';
import { isAway } from '../transport/is-away.ts';
import { CopyLeftError } from './copy-left-error.ts';
import type { CopyOwner, LocalSide } from './local-side.ts';
import type { NewAccount } from './new-account.ts';
import { serverTokens } from './server-tokens.ts';
import type { Servers } from './servers.ts';
import { readCaller, readLoggedOut, readSignedIn } from './session-answers.ts';
import { type AuthEvent, type AuthStatus, afterEvent } from './auth-status.ts';
import { AnswerError } from '../transport/answers.ts';

export interface SessionView {
  readonly status: AuthStatus;
  readonly user: User | null;
  /** Public id of the session, for proofs. */
  readonly sessionId: string | null;
  /** Origin of the server where a token signs in (bearer mode); null: the page's own, by cookie. */
  readonly server: string | null;
  /** The account password did not meet the policy of the site at the last sign-in. */
  readonly hasWeakPassword?: true;
}

type Who = Pick<SessionView, 'user' | 'sessionId' | 'hasWeakPassword'>;

const NOBODY = { user: null, sessionId: null } as const;

export interface SessionParts {
  readonly http: Http;
  readonly keyring: Pick<Keyring, 'createAccount' | 'lock' | 'setOwner'>;
  readonly tabs: Tabs;
  readonly servers: Servers;
  readonly local: LocalSide;
  readonly load: Load;
}

/** Every tab of the browser has the same session: what one learns of its end, or of another person's, it tells the others. */
export function createSession({ http, keyring, tabs, servers, local, load }: SessionParts) {
  let view: SessionView = { status: 'loading', ...NOBODY, server: null };
  let checking: Promise<void> | null = null;
  let isOutdated = false;
  /** Whose copy is still to go with his session. */
  let leaving: CopyOwner | null = null;
  const tokens = serverTokens(http, servers, local);
  const listeners = new Set<() => void>();
  const askMe = () => http.checked<typeof me>(ME, readCaller);

  function enter(event: AuthEvent, who: Who) {
    view = { status: afterEvent(view.status, event), ...who, server: servers.chosen() };
    http.setSignedIn(view.status === 'logged-in');
    for (const listener of listeners) listener();
  }

  async function askWhoIAm(): Promise<void> {
    isOutdated = false;
    const found = await identify().catch(async (failure: unknown) => {
      if (!isAway(failure)) return null;
      // Without another server or a copy there is nothing to do but to sign in (docs/spec/product.md §2).
      const server = servers.chosen();
      return server !== null || (await local.hasCopyOf(server)) ? 'unreachable' : null;
    });
    // Somebody signed in or out meanwhile: what was found may be about the former person.
    if (isOutdated) return askWhoIAm();
    if (found === null) enter('check failed', NOBODY);
    else if (found === 'unreachable') enter('unreachable', NOBODY);
    else {
      enter(found.message, whoOf(found, found.user));
      if (found.message === 'guest') void local.nobodyIsSignedIn();
    }
  }

  /** Asks the chosen server; another one than the page's own with the token that is kept for it. */
  async function identify() {
    const url = servers.chosen();
    if (local.owesLogout()) await tokens.payLogout();
    if (url === null) {
      http.setServer(null);
      return askMe();
    }
    const records = await servers.records();
    await tokens.payLogoutAt(url, records);
    const record = await records.of(url);
    http.setServer({ origin: url, token: record?.token ?? null });
    const found = await askMe();
    if (found.message !== 'loggedIn' || record !== null) return found;
    // A server that knew us without a token gives one, so that it still does next time (docs/spec/product.md §4).
    http.setSignedIn(true);
    const { createToken } = await load(
      'credentials',
      () => import('@passwordbroker/core/contract/account/credentials'),
    );
    const { token, user } = await http.call(createToken, { body: { token_name: records.clientId() } });
    await tokens.keep(url, user, token);
    return askMe();
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

  function signedIn(who: Who) {
    isOutdated = true;
    // The session that was to end is no longer this browser's.
    if (servers.chosen() === null && local.owesLogout()) local.setOwesLogout(false);
    tabs.tell('signed in');
    enter('signed in', who);
  }

  /** On a page that was opened to log out nobody has been looked for yet. */
  async function whoLeaves(): Promise<CopyOwner | null> {
    const server = servers.chosen();
    const { status, user } = view;
    const userId = status === 'loading' ? (await identify()).user?.user_id : user?.user_id;
    return userId === undefined ? leaving : { server, userId };
  }

  /** @throws CopyLeftError */
  async function forgetCopy() {
    if (leaving === null) return;
    await local.forgetCopyOf(leaving).catch((failure: unknown) => {
      throw new CopyLeftError({ cause: failure });
    });
    leaving = null;
  }

  http.onSessionEnded(() => {
    void tokens.forget().catch(() => undefined);
    tabs.tell('signed out');
    enter('logged out', NOBODY);
    void local.nobodyIsSignedIn();
  });
  tabs.listen((message) => {
    // Without the server nobody can be found out; who logs out is logged out here as well.
    if (http.isOffline() && message === 'signed in') return;
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

    /** The account as it is after one has changed it. */
    know(user: User): void {
      if (view.user?.user_id !== user.user_id) return;
      view = { ...view, user };
      for (const listener of listeners) listener();
    },

    /** Call after the account password was changed. */
    passwordChanged(): void {
      const { hasWeakPassword: _, ...rest } = view;
      view = rest;
      for (const listener of listeners) listener();
    },

    /** From now on the page speaks to this server, null: to its own. Whoever is kept there is signed in. Never throws. */
    async changeServer(origin: string | null): Promise<void> {
      keyring.lock();
      servers.choose(origin);
      isOutdated = true;
      await check();
    },

    /** A server without users begins with a backup instead of a first user. */
    beginRecovery: () => enter('recover', NOBODY),
    /** The backup is restored: its people sign in. */
    endRecovery: () => enter('recovered', NOBODY),

    /** Gets the token that signing in needs, unless it is there (docs/spec/product.md §7). @throws NetworkError, AppError, AnswerError */
    async reachServer(): Promise<void> {
      http.setServer(null);
      if (!http.hasXsrfToken()) await http.call(csrfCookie);
    },

    /** @throws AppError 'invalid_credentials', 'validation', 'too_many_requests'; NetworkError */
    async logIn(email: string, password: string): Promise<void> {
      servers.choose(null);
      const { user } = await http.checked<typeof login>(LOGIN, readSignedIn, { body: { email, password } });
      signedIn(whoOf(await askMe(), user));
    },

    /**
     * Signs in at another server than the page's own, by a token that this browser keeps.
     * @throws NetworkError when it cannot be reached or does not let this page in; AppError as `logIn`; Error 'unable to get ClientId from storage: …'
     */
    async logInAt(origin: string, email: string, password: string): Promise<void> {
      const records = await servers.records();
      const token_name = records.clientId();
      // What is owed there is not worth keeping somebody from signing in.
      await tokens.payLogoutAt(origin, records).catch(() => undefined);
      http.setServer({ origin, token: null });
      await http.call(csrfCookie);
      const body = { email, password, token_is_required: true, token_name };
      const { user, token } = await http.checked<typeof login>(LOGIN, readSignedIn, { body });
      if (token === undefined) throw new AnswerError();
      await tokens.keep(origin, user, token);
      servers.choose(origin);
      signedIn(whoOf(await askMe(), user));
    },

    /** Makes the keys in this browser and sends them locked; the master password goes nowhere. @throws AppError with `errors` by `user.…` */
    async signUp(account: NewAccount): Promise<void> {
      const { openAccount } = await load('new-account', () => import('./new-account.ts'));
      const user = await openAccount({ http, keyring, load }, account);
      const who = await askMe().catch(() => null);
      // The account is there, so the form must not stay: whoever asks again finds the session, or signs in.
      if (who === null) await check();
      else signedIn({ user, sessionId: who.session_id });
    },

    /** The owner of the local copy that was just opened with his master password works from it; the server knows nothing of him. */
    async workOffline(user: User): Promise<void> {
      // Whoever was looked for is not found without the server.
      await checking;
      isOutdated = true;
      enter('signed in', { user, sessionId: null });
    },

    /**
     * After working offline: whoever the server knows by now is signed in. The same person stays as he is, keys open.
     * @throws NetworkError when the server does not answer: then nothing has changed
     */
    async comeOnline(): Promise<void> {
      const found = await identify();
      if (found.message !== 'loggedIn' || found.user?.user_id !== view.user?.user_id) {
        // Nobody goes on with the keys of the one before.
        keyring.lock();
        return becomeWhoItIs();
      }
      enter('signed in', whoOf(found, found.user));
    },

    /**
     * Ends the session here, in the other tabs and on the server. The keys are dropped first, whatever the server answers.
     * While the database is offline the server learns of it when it is next asked who is calling (docs/spec/product.md §4).
     * @throws NetworkError, AppError, AnswerError: then the server did not say that the session is over; CopyLeftError: it is over, but the local copy is still there
     */
    async logOut(): Promise<void> {
      keyring.lock();
      leaving = await whoLeaves();
      tabs.tell('signed out');
      // Here first: the page may be closed before the server answers.
      const forgotten = forgetCopy();
      forgotten.catch(() => undefined);
      try {
        if (http.isOffline()) await tokens.oweLogout();
        else {
          await http.checked<typeof logout>(LOGOUT, readLoggedOut);
          await tokens.forget();
        }
      } finally {
        enter('logged out', NOBODY);
        await forgotten.catch(() => undefined);
      }
      await forgotten;
    },
  };
}

const whoOf = (caller: AnswerOf<typeof me>, user: User | null): Who => ({
  user,
  sessionId: caller.session_id,
  ...(caller.weak_password === true && { hasWeakPassword: true as const }),
});

export type Session = ReturnType<typeof createSession>;
