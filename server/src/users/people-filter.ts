import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { search } from '@passwordbroker/core/contract/users/people';
import { readsSite } from '../http/auth/authorise.ts';
import type { Actor, Deps } from '../http/context.ts';
import { unlinkedIds } from '../identity/local-sign-in/local-sign-in.ts';
import { withoutFactorIds } from './user-repository.ts';

/** The accounts that `only` asks for; null without it. @throws AppError `forbidden` for callers who see no accounts */
export async function filteredIds(
  deps: Deps,
  actor: Actor,
  only: QueryOf<typeof search>['only'],
): Promise<ReadonlySet<string> | null> {
  if (only === undefined) return null;
  if (!readsSite(actor)) throw new AppError('forbidden');
  const { read } = deps.db;
  const queries = {
    without_factor: () => withoutFactorIds(read),
    unlinked: () => unlinkedIds(deps),
    break_glass: () => read.selectFrom('users').select('user_id').where('break_glass', '=', 1),
  };
  const rows = await (await queries[only]()).execute();
  return new Set(rows.map(({ user_id }) => user_id));
}
