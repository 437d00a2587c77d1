import * as offline from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import { answer } from '../http/answer/answer.ts';
import type { RequestContext } from '../http/context.ts';
import { on } from '../http/route.ts';
import type { Route, RouteOptions } from '../http/route.ts';
import {
  allApplications,
  asApplication,
  forgetApplication,
  isDatabaseStale,
  isKeyStale,
  mayStay,
  openApplication,
  ownApplication,
  setMode,
} from './applications/applications.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { downloadCopy } from './download/download.ts';
import { passwordSalt, releaseKeyPart } from './key-part.ts';

/** Refuses others before anything else is checked. */
const ownersOnly: RouteOptions = {
  async permit({ deps, actor }: RequestContext, { id = '' }) {
    if (actor === null) throw new AppError('unauthenticated');
    await ownApplication(deps, actor, id.toLowerCase());
  },
};

export const routes: readonly Route[] = [
  on(offline.openApplication, async (context) => {
    const { isNew, row } = await openApplication(context, context.body.clientId);
    return answer(isNew ? 201 : 200, { userApplication: await asApplication(context.deps, row) });
  }),

  on(offline.applications, ({ deps, actor }) => allApplications(deps, actor.userId)),

  on(
    offline.application,
    async ({ deps, actor, params }) => ({
      userApplication: await asApplication(deps, await ownApplication(deps, actor, params.id)),
    }),
    ownersOnly,
  ),

  on(
    offline.forgetApplication,
    async (context) => forgetApplication(context, await ownApplication(context.deps, context.actor, context.params.id)),
    ownersOnly,
  ),

  on(
    offline.mode,
    async ({ deps, actor, params }) => ({ status: (await ownApplication(deps, actor, params.id)).is_offline === 1 }),
    ownersOnly,
  ),

  on(
    offline.setMode,
    async (context) => {
      const row = await ownApplication(context.deps, context.actor, context.params.id);
      return setMode(context, row, context.body.status);
    },
    ownersOnly,
  ),

  on(offline.standing, async ({ deps, params }) => ({
    standing: (await mayStay(deps, params.id)) ? ('kept' as const) : ('gone' as const),
  })),

  on(
    offline.isKeyStale,
    async ({ deps, actor, params }) => ({
      status: await isKeyStale(deps, await ownApplication(deps, actor, params.id)),
    }),
    ownersOnly,
  ),

  on(
    offline.isDatabaseStale,
    async ({ deps, actor, params, query }) => ({
      status: await isDatabaseStale(deps, await ownApplication(deps, actor, params.id), query.since),
      files: (await readSiteSettings(deps)).offline_files,
    }),
    ownersOnly,
  ),

  on(offline.privateRsa, (context) => releaseKeyPart(context, context.actor, context.query.user_application_id)),

  on(offline.cbcSalt, (context) => passwordSalt(context, context.actor)),

  on(offline.entryGroupsWithFields, (context) => downloadCopy(context, context.query)),
];
