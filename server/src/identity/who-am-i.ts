/** What a client asks first: who is calling (`api.md` §3.1). */
import type { User } from '@passwordbroker/core/contract/entities';
import type { Actor, Deps } from '../http/context.ts';
import { asUser, findUser, hasUsers } from '../users/user-repository.ts';

type Whoami =
  | { message: 'loggedIn'; user: User; session_id: string }
  | { message: 'guest' | 'firstUser'; user: null; session_id: null };

export async function whoAmI(deps: Deps, actor: Actor | null): Promise<Whoami> {
  const row = actor === null ? undefined : await findUser(deps.db, actor.userId);
  if (actor !== null && row !== undefined) {
    return { message: 'loggedIn', user: asUser(row), session_id: actor.sessionId };
  }
  return { message: (await hasUsers(deps.db)) ? 'guest' : 'firstUser', user: null, session_id: null };
}
