import * as invites from '@passwordbroker/core/contract/users/invites';
import { on, type Route } from '../http/route.ts';
import { acceptPlain, acceptSealed, alsoWrongWithGuest, judgeLink, readInvite } from './accept.ts';
import { invite, listAllInvites, revokeInvite } from './invites.ts';

const errorKeys = { 'user.username': 'user.name' };

export const routes: readonly Route[] = [
  on(invites.create, (context) => invite(context), { errorKeys }),
  on(invites.listAll, ({ deps, query }) => listAllInvites(deps, query)),
  on(invites.revoke, (context) => revokeInvite(context, context.params.inviteId)),
  on(invites.read, (context) => readInvite(context, context.params.token)),
  on(
    invites.accept,
    { sealed: (context) => acceptSealed(context), plain: (context) => acceptPlain(context) },
    {
      errorKeys,
      tellMore: alsoWrongWithGuest,
      // A bad link is reported before errors of the body.
      permit: async (context, { token = '' }) => void (await judgeLink(context, token)),
    },
  ),
];
