import * as members from '@passwordbroker/core/contract/groups/members';
import * as people from '@passwordbroker/core/contract/users/people';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { JudgedKey } from '../../keyring/groups/member-calls.ts';
import { KeyringError } from '../../keyring/keyring-error.ts';
import type { Http } from '../../transport/http.ts';
import type { KeyState, PeopleReads } from './people.ts';
import type { ListedMembers } from '../trust/listed-members.ts';
import { shownKeysOf } from '../trust/shown-keys.ts';

export function onlinePeople(
  http: Http,
  keyring: VaultKeyring,
  { readKey }: Pick<ListedMembers, 'readKey'>,
): PeopleReads {
  return {
    async people(query, excludeGroupId, signal) {
      const exclude = excludeGroupId === '' ? {} : { entryGroupExclude: excludeGroupId };
      const { data } = await http.call(people.search, { query: { q: query, ...exclude }, signal });
      return data;
    },

    async keyTrust({ userId, name }, signal) {
      // While locked, an answer could not be judged.
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const shown = await readKey(userId, signal);
      if (shown === null) return { state: 'none' };
      return keyring.call('judgeKey', { userId, name, ...shown });
    },

    async keyStates(listed) {
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const names = new Map(listed.map(({ user_id, user }) => [user_id, user.name]));
      const judged = (await shownKeysOf(http, listed)).map(async (shown) => {
        const userId = shown.certificate.user_id;
        const judgement = await keyring.call('judgeKey', { userId, name: names.get(userId) ?? '', ...shown });
        return [userId, keyStateOf(judgement)] as const;
      });
      const withoutKeys = listed.map(({ user_id }) => [user_id, 'none'] as const);
      return new Map<string, KeyState>([...withoutKeys, ...(await Promise.all(judged))]);
    },

    async ownKey() {
      const { fingerprint, words } = await keyring.call('ownKey', null);
      return { fingerprint, words };
    },

    departures: (of, page, signal) =>
      typeof of === 'string'
        ? http.call(members.formerMembers, { params: { g: of }, query: { page }, signal })
        : http.call(members.formerMembersOfAll, { query: { page, user_id: of.userId ?? undefined }, signal }),

    departure: (g, d, signal) => http.call(members.formerMember, { params: { g, d }, signal }),

    opened: (g, u, signal) => http.call(members.opened, { params: { g, u }, signal }),
  };
}

function keyStateOf(judged: JudgedKey): KeyState {
  if (judged.state !== 'trusted') return judged.state;
  return judged.how === 'first-use' || judged.how === 'api' ? 'for now' : 'verified';
}
