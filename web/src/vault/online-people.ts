/** People and their keys, on the server. */
import * as people from '@passwordbroker/core/contract/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Http } from '../lib/http.ts';
import type { MemberWrites, PeopleReads } from './people.ts';

const notYet = () => Promise.reject(new AppError('unavailable', { message: 'This server does not offer it yet' }));

export function onlinePeople(http: Http): PeopleReads {
  return {
    async people(query, excludeGroupId, signal) {
      const exclude = excludeGroupId === '' ? {} : { entryGroupExclude: excludeGroupId };
      const { data } = await http.call(people.search, { query: { q: query, ...exclude }, signal });
      return data;
    },
    keyTrust: notYet,
    ownKey: notYet,
    departures: notYet,
    departure: notYet,
    opened: notYet,
  };
}

export const onlineMembers: MemberWrites = {
  confirmKey: notYet,
  confirmGroup: notYet,
  confirmPins: notYet,
  add: notYet,
  changeRole: notYet,
  remove: notYet,
  rotate: notYet,
};
