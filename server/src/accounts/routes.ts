import { onlyMine } from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import { on, type Route } from '../http/route.ts';
import { readAccount } from '../users/find-people.ts';
import { removeAccount, resetKeys, soleGroupsOf } from './leave.ts';
import { offboard, offboardingOf } from './offboard.ts';
import { setAdmin, setAuditor, setDisabled, updateAccount } from './change-account.ts';

/** A group with one member: that member is its admin. */
const isOnlyMember = ({ members }: people.SoleGroup) => members === 1;

export const routes: readonly Route[] = [
  on(people.update, (context) => updateAccount(context), { errorKeys: { username: 'name' } }),
  on(people.setAdmin, (context) => setAdmin(context.deps, context, context.params.id, context.body.is_admin)),
  on(people.setAuditor, (context) => setAuditor(context.deps, context, context.params.id, context.body.is_auditor)),
  on(people.setDisabled, (context) => setDisabled(context.deps, context, context.params.id, context.body.status)),
  on(people.remove, ({ deps, actor, origin, params, body }) =>
    removeAccount(deps, { actor, origin }, params.id, body.confirm_groups),
  ),
  on(people.keyReset, async ({ deps, params }) => {
    await readAccount(deps, params.id);
    const groups = await soleGroupsOf(deps.db.read, params.id);
    return { user_id: params.id, groups, only_member: groups.filter(isOnlyMember).length };
  }),
  on(onlyMine, async ({ deps, actor }) => ({
    groups: (await soleGroupsOf(deps.db.read, actor.userId)).filter(isOnlyMember),
  })),
  on(people.resetKeys, async ({ deps, actor, origin, params, body }) => {
    await resetKeys(deps, { actor, origin }, params.id, body.confirm_groups);
    return readAccount(deps, params.id);
  }),
  on(people.offboardingOf, ({ deps, actor, params }) => offboardingOf(deps, actor.userId, params.id)),
  on(people.offboard, async ({ deps, actor, origin, params, body }) => {
    const ended = await offboard(deps, { actor, origin }, params.id, { disable: body.disable ?? true });
    return { ...(await offboardingOf(deps, actor.userId, params.id)), ended };
  }),
];
