/** Pairing, sign-in, unlocking and locking. */
import type { FactorAsked } from '@passwordbroker/core/contract/account/factors';
import type { CodeMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import { AppError } from '@passwordbroker/core/contract/problem';
import { setup } from '@passwordbroker/core/contract/site/system';
import { type BrowserSignIn, beginBrowserSignIn } from '@passwordbroker/client/session/program-sign-in';
import { askedFactor, proveFactor } from '@passwordbroker/client/session/second-step';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { Refusal } from '../refusal.ts';
import { serverOrigin } from '../server-origin.ts';
import { chooseCopiesCode, copiesCode } from './entries.ts';
import type { KeeperClient } from './start-client.ts';

export type KeeperState =
  | 'not_paired'
  | 'unreachable'
  | 'too_old'
  | 'signed_out'
  | 'factor'
  | 'browser'
  | 'restricted'
  | 'locked'
  | 'open';

export interface Status {
  readonly state: KeeperState;
  /** Origin. */
  readonly server: string | null;
  readonly person: { readonly name: string; readonly email: string } | null;
  /** The ways to prove the second factor here; `[]`: none works in an extension. */
  readonly methods: readonly CodeMethod[];
  /** Names of the identity providers where people may sign in. */
  readonly providers: readonly string[];
  /** A sign-in by the web page of the server: its address, and what the page has to show. */
  readonly browser: Pick<BrowserSignIn, 'link' | 'shown'> | null;
  readonly lockMinutes: number;
  readonly copiesCode: boolean;
}

/** People whose words were shown, by id. */
const SHOWN = 'passwordbroker.extension.words-shown';

const CODE_METHODS: readonly CodeMethod[] = ['totp', 'recovery'];

export function sessionOperations(client: KeeperClient) {
  const { http, keyring, lockAfter, masterPassword, servers, session } = client;
  let asked: FactorAsked | null = null;
  let browser: BrowserSignIn | null = null;
  let checked: Promise<void> | null = null;

  /** Asks the server who is signed in, once, and again after it was unreachable. */
  async function known(): Promise<void> {
    if (servers.chosen() === null) return;
    if (session.view().status === 'network_error' || client.isTooOld()) checked = null;
    client.forgetAge();
    await (checked ??= session.check());
  }

  function stateNow(): KeeperState {
    if (servers.chosen() === null) return 'not_paired';
    if (client.isTooOld()) return 'too_old';
    const { status, restriction } = session.view();
    if (status === 'network_error') return 'unreachable';
    if (status !== 'logged-in') return asked !== null ? 'factor' : browser !== null ? 'browser' : 'signed_out';
    if (restriction !== undefined) return 'restricted';
    return keyring.isOpen() ? 'open' : 'locked';
  }

  function statusNow(): Status {
    const { user, ways } = session.view();
    return {
      state: stateNow(),
      server: servers.chosen(),
      person: user === null ? null : { name: user.name, email: user.email },
      methods: CODE_METHODS.filter((method) => asked?.methods.includes(method) === true),
      providers: ways?.providers.map(({ name }) => name) ?? [],
      browser: browser === null ? null : { link: browser.link, shown: browser.shown },
      lockMinutes: lockAfter.minutes(),
      copiesCode: copiesCode(),
    };
  }

  return {
    async status(): Promise<Status> {
      await known();
      return statusNow();
    },

    /** The permission for the address was given. @throws Refusal */
    async pair({ address }: { readonly address: string }): Promise<Status> {
      const origin = serverOrigin(address);
      http.setServer({ origin, token: null });
      try {
        await http.call(setup);
      } catch (failure) {
        if (failure instanceof NetworkError) throw new Refusal('unreachable', TEXTS.unreachable);
        if (failure instanceof AppError && failure.code === 'client_too_old') throw failure;
        throw new Refusal('no_server', TEXTS.noServer);
      }
      servers.choose(origin);
      checked = null;
      await known();
      return statusNow();
    },

    /** Forgets the server; what this browser accepted about people and groups stays. */
    async unpair(): Promise<Status> {
      if (session.view().status === 'logged-in') await session.logOut().catch(() => undefined);
      keyring.lock();
      asked = null;
      browser = null;
      servers.choose(null);
      return statusNow();
    },

    /** @throws AppError 'invalid_credentials', 'too_many_requests' */
    async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<Status> {
      const server = servers.chosen();
      if (server === null) throw new Refusal('not_paired', TEXTS.notPaired);
      asked = null;
      try {
        await session.logInAt(server, email, password);
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.code !== 'second_factor_required') throw failure;
        asked = askedFactor(failure);
      }
      return statusNow();
    },

    /** @throws AppError 'second_factor_invalid'; 'ticket_invalid': the sign-in begins again */
    async proveFactor({ method, code }: { readonly method: CodeMethod; readonly code: string }): Promise<Status> {
      if (asked === null) throw new AppError('ticket_invalid');
      try {
        await proveFactor(client, asked, { method, code, remember: false });
        asked = null;
      } catch (failure) {
        if (failure instanceof AppError && failure.code === 'ticket_invalid') asked = null;
        throw failure;
      }
      return statusNow();
    },

    /** Back from the second factor to e-mail and password. */
    async cancelFactor(): Promise<Status> {
      asked = null;
      return statusNow();
    },

    /** The popup closes while the person is at the page, so what was begun stays here. @throws Refusal */
    async beginBrowserSignIn(): Promise<Status> {
      const server = servers.chosen();
      if (server === null) throw new Refusal('not_paired', TEXTS.notPaired);
      asked = null;
      browser = await beginBrowserSignIn(client, server, TEXTS.ownName);
      return statusNow();
    },

    /** @throws AppError 'validation' for a wrong code; 'ticket_invalid': it begins again */
    async finishBrowserSignIn({ code }: { readonly code: string }): Promise<Status> {
      if (browser === null) throw new AppError('ticket_invalid');
      try {
        await browser.finish(code);
        browser = null;
      } catch (failure) {
        if (failure instanceof AppError && failure.code === 'ticket_invalid') browser = null;
        throw failure;
      }
      return statusNow();
    },

    async cancelBrowserSignIn(): Promise<Status> {
      browser = null;
      return statusNow();
    },

    /**
     * @returns the eight words of the person's own key at the first unlock here, else null
     * @throws AppError 'master_password_invalid'
     */
    async unlock({ masterPassword: typed }: { readonly masterPassword: string }): Promise<readonly string[] | null> {
      await masterPassword.enter(typed);
      return wordsToCompare(client);
    },

    /** The person has seen the words. */
    async wordsSeen(): Promise<void> {
      const userId = session.view().user?.user_id ?? '';
      localStorage.setItem(SHOWN, `${localStorage.getItem(SHOWN) ?? ''} ${userId}`.trim());
    },

    async lock(): Promise<Status> {
      keyring.lock();
      return statusNow();
    },

    /** Every minute, and when the screen was locked. */
    async look({ isScreenLocked }: { readonly isScreenLocked: boolean }): Promise<boolean> {
      if (isScreenLocked) keyring.lock();
      else client.look();
      return keyring.isOpen();
    },

    async lockAfter({ minutes }: { readonly minutes: number }): Promise<Status> {
      lockAfter.choose(minutes);
      return statusNow();
    },

    async copyCodes({ isOn }: { readonly isOn: boolean }): Promise<Status> {
      chooseCopiesCode(isOn);
      return statusNow();
    },

    async logOut(): Promise<Status> {
      asked = null;
      await session.logOut();
      return statusNow();
    },
  };
}

/** The eight words of the person's own key, until they were seen in this browser. */
export async function wordsToCompare({ session, vault }: KeeperClient): Promise<readonly string[] | null> {
  const userId = session.view().user?.user_id ?? '';
  if ((localStorage.getItem(SHOWN) ?? '').split(' ').includes(userId)) return null;
  return (await vault.read.ownKey()).words;
}
