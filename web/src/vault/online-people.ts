/** People, their keys, and who has left, on the server. */
import * as members from '@passwordbroker/core/contract/members';
import * as people from '@passwordbroker/core/contract/people';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Http } from '../lib/http.ts';
import type { PeopleReads } from './people.ts';
import { shownKeyOf } from './shown-keys.ts';

export function onlinePeople(http: Http, keyring: VaultKeyring): PeopleReads {
  return {
    async people(query, excludeGroupId, signal) {
      const exclude = excludeGroupId === '' ? {} : { entryGroupExclude: excludeGroupId };
      const { data } = await http.call(people.search, { query: { q: query, ...exclude }, signal });
      return data;
    },

    async keyTrust({ userId, name }, signal) {
      // Locked, nothing is asked of the server: what it shows cannot be judged.
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const shown = await shownKeyOf(http, userId, signal);
      if (shown === null) return { state: 'none' };
      return keyring.call('judgeKey', { userId, name, ...shown });
    },

    async ownKey() {
      const { fingerprint, words } = await keyring.call('ownKey', null);
      return { fingerprint, words };
    },

    departures: (of, page, signal) =>
      typeof of === 'string'
        ? http.call(members.departures, { params: { g: of }, query: { page }, signal })
        : http.call(members.departuresOf, { query: { page, user_id: of.userId ?? undefined }, signal }),

    departure: (g, d, signal) => http.call(members.departure, { params: { g, d }, signal }),

    opened: (g, u, signal) => http.call(members.opened, { params: { g, u }, signal }),
  };
}
