/** Looking after accounts (`api.md` §3.2). */
import * as people from '@passwordbroker/core/contract/people';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { setAdmin, setDisabled } from './standing.ts';
import { updateAccount } from './update-account.ts';

export const routes: readonly Route[] = [
  on(people.update, (context) => updateAccount(context), { errorKeys: { username: 'name' } }),
  on(people.setAdmin, (context) => setAdmin(context.deps, context, context.params.id, context.body.is_admin)),
  on(people.setDisabled, (context) => setDisabled(context.deps, context, context.params.id, context.body.status)),
];
