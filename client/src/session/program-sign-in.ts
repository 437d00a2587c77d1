/** Signs a program in by a browser where the person is signed in (ADR 44). */
import { loginProgram } from '@passwordbroker/core/contract/account/programs';
import { newProgramSecret, programLink, shownChallenge } from '@passwordbroker/core/domain/factors/program-link';
import type { SignInPart } from '../sign-in-part.ts';

export interface BrowserSignIn {
  /** The person opens it in any browser. */
  readonly link: string;
  /** What the page shows, too. */
  readonly shown: string;
  /**
   * Keeps a token of the person.
   * @param code of the page
   * @throws AppError 'validation' for a wrong code; 'ticket_invalid': it begins again; 'too_many_requests'
   */
  finish(code: string): Promise<void>;
}

/** @param computer its name, which the page shows */
export async function beginBrowserSignIn(
  { http, servers, session }: Pick<SignInPart, 'http' | 'servers' | 'session'>,
  origin: string,
  computer: string,
): Promise<BrowserSignIn> {
  const { secret, challenge } = await newProgramSecret();
  return {
    link: programLink(origin, { challenge, computer }),
    shown: shownChallenge(challenge),
    async finish(code) {
      const records = await servers.records();
      http.setServer({ origin, token: null });
      const body = { secret, code, token_name: records.clientId() };
      await session.granted(await http.call(loginProgram, { body }));
    },
  };
}
