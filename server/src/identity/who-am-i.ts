/** The first request of a client: returns the caller (docs/spec/api.md §3.1). */
import type { User } from '@passwordbroker/core/contract/entities';
import type { Actor, Deps } from '../http/context.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { asUser, findUser, hasUsers } from '../users/user-repository.ts';

type Whoami =
  | { message: 'loggedIn'; user: User; session_id: string; weak_password?: true }
  | { message: 'guest' | 'firstUser'; user: null; session_id: null };

export async function whoAmI(deps: Deps, actor: Actor | null): Promise<Whoami> {
  const row = actor === null ? undefined : await findUser(deps.db, actor.userId);
  if (actor !== null && row !== undefined) {
    const who = { message: 'loggedIn', user: asUser(row), session_id: actor.sessionId } as const;
    if (!actor.hasWeakPassword || (await readSiteSettings(deps)).password_policy !== 'strict') return who;
    return { ...who, weak_password: true };
  }
  return { message: (await hasUsers(deps.db)) ? 'guest' : 'firstUser', user: null, session_id: null };
}
