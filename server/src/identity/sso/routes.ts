import * as sso from '@passwordbroker/core/contract/account/sso';
import * as providers from '@passwordbroker/core/contract/site/providers';
import * as people from '@passwordbroker/core/contract/users/people';
import { on, type Route } from '../../http/route.ts';
import { setBreakGlass } from '../local-sign-in/break-glass.ts';
import { counted } from '../count-sign-ins.ts';
import { endSessionsForProvider } from './back-channel-logout.ts';
import { beginSso } from './begin.ts';
import { finishSso } from './callback.ts';
import { linkOwn, linksOf, linksOfUser, unlinkOwn, unlinkUser } from './links.ts';
import { changeProvider, listProviders, testProvider } from './providers.ts';

export const routes: readonly Route[] = [
  on(sso.begin, (context) => beginSso(context)),
  on(sso.callback, (context) => counted(context.deps, 'sso', () => finishSso(context))),
  // The token is the proof, and no cookie counts.
  on(sso.backChannelLogout, (context) => endSessionsForProvider(context), { needsNoCsrf: () => true }),
  on(sso.links, ({ deps, actor }) => linksOf(deps, actor.userId)),
  on(sso.link, (context) => linkOwn(context, context.body.ticket)),
  on(sso.unlink, (context) => unlinkOwn(context, context.params.linkId)),
  on(sso.linksOfUser, ({ deps, params }) => linksOfUser(deps, params.id)),
  on(sso.unlinkUser, (context) => unlinkUser(context, context.params.id, context.params.linkId)),
  on(providers.listAll, ({ deps }) => listProviders(deps)),
  on(providers.change, (context) => changeProvider(context, context.params.providerId, context.body)),
  on(providers.test, ({ deps, params }) => testProvider(deps, params.providerId)),
  on(people.setBreakGlass, (context) => setBreakGlass(context.deps, context, context.params.id, context.body.status)),
];
