/** Tokens for other servers, and pending logouts. */
import type { User } from '@passwordbroker/core/contract/entities';
import type { logout } from '@passwordbroker/core/contract/account/session';
import { LOGOUT } from '@passwordbroker/core/contract/account/session-calls';
import type { Http } from '../transport/http.ts';
import type { LocalSide } from './local-side.ts';
import type { Servers } from './servers.ts';
import { readLoggedOut } from './session-answers.ts';
import type { TokenRecords } from '../platform.ts';

export function serverTokens(http: Http, servers: Servers, local: LocalSide) {
  return {
    async payLogout(): Promise<void> {
      http.setServer(null);
      await http.checked<typeof logout>(LOGOUT, readLoggedOut);
      local.setOwesLogout(false);
    },

    /** As `payLogout`, with the token of that session. */
    async payLogoutAt(url: string, records: TokenRecords): Promise<void> {
      const left = await records.leftAt(url);
      if (left === null) return;
      http.setServer({ origin: url, token: left.token });
      await http.checked<typeof logout>(LOGOUT, readLoggedOut);
      // Another tab may have signed in meanwhile.
      await records.forget(url, left.token);
    },

    /** The server learns of it at the next check. */
    async oweLogout(): Promise<void> {
      const url = servers.chosen();
      if (url === null) return local.setOwesLogout(true);
      http.setServer({ origin: url, token: null });
      await (await servers.records()).leave(url);
    },

    async keep(url: string, user: User, token: string): Promise<void> {
      const { user_id, email, name, is_admin } = user;
      await (await servers.records()).keep({ user_id, login: email, name, url, token, is_admin });
      http.setServer({ origin: url, token });
    },

    async forget(): Promise<void> {
      const url = servers.chosen();
      if (url === null) return;
      http.setServer({ origin: url, token: null });
      await (await servers.records()).forget(url);
    },
  };
}
