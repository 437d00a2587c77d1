/** The session of this page. Account passwords pass through and are not kept. */
import type { User } from '@passwordbroker/core/contract/entities';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { login, logout, me } from '@passwordbroker/core/contract/account/session';
import type { Restriction } from '@passwordbroker/core/contract/account/sign-in-methods';
import { CSRF_COOKIE, LOGIN, LOGOUT, ME } from '@passwordbroker/core/contract/account/session-calls';
import type { Keyring } from '../keyring/keyring.ts';
import type { Tabs, Load } from '../platform.ts';
import type { Http } from '../transport/http.ts';
import { isAway, AnswerError } from '../transport/answers.ts';
import { CopyLeftError, type CopyOwner, type LocalSide } from './local-side.ts';
import type { NewAccount } from './new-account.ts';
import { serverTokens } from './server-tokens.ts';
import type { Servers } from './servers.ts';
import { readCaller, readLoggedOut, readSignedIn } from './session-answers.ts';
import { type AuthEvent, type AuthStatus, afterEvent } from './auth-status.ts';

export interface SessionView {
  readonly status: AuthStatus;
  readonly user: User | null;
  /** Public id, for proofs. */
  readonly sessionId: string | null;
  /** Origin if signed in by token; null: the page's own server, by cookie. */
  readonly server: string | null;
  /** At the last sign-in. */
  readonly hasWeakPassword?: true;
  /** What the session has to set up before anything else. */
  readonly restriction?: Restriction | undefined;
  /** The ways to sign in that the server told last; only if it has identity providers. */
  readonly ways?: AnswerOf<typeof me>['ways'];
}

type Who = Omit<SessionView, 'status' | 'server'>;

const NOBODY = { user: null, sessionId: null } as const;

export interface SessionParts {
  readonly http: Http;
  readonly keyring: Pick<Keyring, 'createAccount' | 'lock' | 'setOwner'>;
  readonly tabs: Tabs;
  readonly servers: Servers;
  readonly local: LocalSide;
  readonly load: Load;
}

/** All tabs share the session: each tells the others of its end or of another person. */
export function createSession({ http, keyring, tabs, servers, local, load }: SessionParts) {
  let view: SessionView = { status: 'loading', ...NOBODY, server: null };
  let checking: Promise<void> | null = null;
  let isOutdated = false;
  /** Owner of a copy that the logout must still delete. */
  let leaving: CopyOwner | null = null;
  const tokens = serverTokens(http, servers, local);
  const listeners = new Set<() => void>();
  const askMe = () => http.checked<typeof me>(ME, readCaller);

  function enter(event: AuthEvent, who: Who) {
    view = { status: afterEvent(view.status, event), ways: view.ways, ...who, server: servers.chosen() };
    http.setSignedIn(view.status === 'logged-in');
    for (const listener of listeners) listener();
  }

  async function askWhoIAm(): Promise<void> {
    isOutdated = false;
    const found = await identify().catch(async (failure: unknown) => {
      if (!isAway(failure)) return null;
      // Without token or copy the person can only sign in (docs/spec/product.md §2).
      const server = servers.chosen();
      return server !== null || (await local.hasCopyOf(server)) ? 'unreachable' : null;
    });
    // The result may be about the former person.
    if (isOutdated) return askWhoIAm();
    if (found === null) enter('check failed', NOBODY);
    else if (found === 'unreachable') enter('unreachable', NOBODY);
    else {
      enter(found.message, whoOf(found, found.user));
      if (found.message === 'guest') void local.nobodyIsSignedIn();
    }
  }

  /** Sends pending logouts first. */
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
    // Gets a token for the next time (docs/spec/product.md §4).
    http.setSignedIn(true);
    const { createToken } = await load(
      'credentials',
      () => import('@passwordbroker/core/contract/account/credentials'),
    );
    const { token, user } = await http.call(createToken, { body: { token_name: records.clientId() } });
    await tokens.keep(url, user, token);
    return askMe();
  }

  /** Concurrent callers share one request. */
  function check(): Promise<void> {
    checking ??= (enter('check', NOBODY), askWhoIAm()).finally(() => {
      checking = null;
    });
    return checking;
  }

  function becomeWhoItIs() {
    isOutdated = true;
    void check();
  }

  /**
   * Asks again who is signed in, and whether the session is restricted. The same person stays signed in with
   * open keys; another is identified anew.
   * @throws NetworkError: nothing has changed
   */
  async function refresh(): Promise<void> {
    const found = await identify();
    if (found.message !== 'loggedIn' || found.user?.user_id !== view.user?.user_id) {
      // The next person must not use these keys.
      keyring.lock();
      return becomeWhoItIs();
    }
    enter('signed in', whoOf(found, found.user));
  }

  function signedIn(who: Who) {
    isOutdated = true;
    // The session whose logout is pending is replaced.
    if (servers.chosen() === null && local.owesLogout()) local.setOwesLogout(false);
    tabs.tell('signed in');
    enter('signed in', who);
  }

  /** At the server that the sign-in went to: another one than the page's own grants a token. */
  async function granted({ user, token }: AnswerOf<typeof login>) {
    const server = http.server();
    if (server !== null) {
      if (token === undefined) throw new AnswerError();
      await tokens.keep(server, user, token);
    }
    servers.choose(server);
    signedIn(whoOf(await askMe(), user));
  }

  /** A page opened to log out has not identified the person yet. */
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
  http.onRestricted(() => void refresh().catch(() => undefined));
  tabs.listen((message) => {
    // Offline nobody can be identified; a logout still applies.
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

    know(user: User): void {
      if (view.user?.user_id !== user.user_id) return;
      view = { ...view, user };
      for (const listener of listeners) listener();
    },

    passwordChanged(): void {
      const { hasWeakPassword: _, ...rest } = view;
      view = rest;
      for (const listener of listeners) listener();
    },

    /** Null: the page's own. Never throws. */
    async changeServer(origin: string | null): Promise<void> {
      keyring.lock();
      servers.choose(origin);
      isOutdated = true;
      await check();
    },

    beginRecovery: () => enter('recover', NOBODY),
    endRecovery: () => enter('recovered', NOBODY),

    /** Gets the CSRF token (docs/spec/product.md §7). @throws NetworkError, AppError, AnswerError */
    async reachServer(): Promise<void> {
      http.setServer(null);
      if (!http.hasXsrfToken()) await http.call(CSRF_COOKIE);
    },

    /**
     * @throws AppError 'invalid_credentials', 'validation', 'too_many_requests'; 'second_factor_required', whose
     * details `proveFactor` takes; NetworkError
     */
    async logIn(email: string, password: string): Promise<void> {
      servers.choose(null);
      await granted(await http.checked<typeof login>(LOGIN, readSignedIn, { body: { email, password } }));
    },

    /** Signs in with the answer of the second step. */
    granted,

    /**
     * Signs in by a token that this browser keeps.
     * @throws NetworkError if the server is unreachable or forbids this origin; as `logIn`; Error 'unable to
     * get ClientId from storage: …'
     */
    async logInAt(origin: string, email: string, password: string): Promise<void> {
      const records = await servers.records();
      const token_name = records.clientId();
      await tokens.payLogoutAt(origin, records).catch(() => undefined);
      http.setServer({ origin, token: null });
      await http.call(CSRF_COOKIE);
      const body = { email, password, token_is_required: true, token_name };
      await granted(await http.checked<typeof login>(LOGIN, readSignedIn, { body }));
    },

    /** @throws AppError with `errors` by `user.…` */
    async signUp(account: NewAccount): Promise<void> {
      const { openAccount } = await load('new-account', () => import('./new-account.ts'));
      const user = await openAccount({ http, keyring, load }, account);
      const who = await askMe().catch(() => null);
      // The account exists, so the form must close.
      if (who === null) await check();
      else signedIn({ user, sessionId: who.session_id });
    },

    /** Signs in the owner of the opened local copy. */
    async workOffline(user: User): Promise<void> {
      // A check that ends later would replace this person.
      await checking;
      isOutdated = true;
      enter('signed in', { user, sessionId: null });
    },

    refresh,

    /**
     * Drops the keys first, whatever the server answers. Returns where to sign out at the identity provider, if the site
     * wants that.
     * @throws NetworkError, AppError, AnswerError if the server did not confirm; CopyLeftError
     */
    async logOut(): Promise<string | undefined> {
      keyring.lock();
      leaving = await whoLeaves();
      tabs.tell('signed out');
      // The page may be closed before the server answers.
      const forgotten = forgetCopy();
      forgotten.catch(() => undefined);
      let url: string | undefined;
      try {
        if (http.isOffline()) await tokens.oweLogout();
        else {
          url = (await http.checked<typeof logout>(LOGOUT, readLoggedOut)).logout_url;
          await tokens.forget();
        }
      } finally {
        enter('logged out', NOBODY);
        await forgotten.catch(() => undefined);
      }
      await forgotten;
      return url;
    },
  };
}

const whoOf = (caller: AnswerOf<typeof me>, user: User | null): Who => ({
  user,
  sessionId: caller.session_id,
  ...(caller.weak_password === true && { hasWeakPassword: true as const }),
  restriction: caller.restriction,
  ways: caller.ways,
});

export type Session = ReturnType<typeof createSession>;
