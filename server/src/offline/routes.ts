import * as offline from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import { answer } from '../http/answer/answer.ts';
import type { RequestContext, Actor } from '../http/context.ts';
import { on, type Route, type RouteOptions } from '../http/route.ts';
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
  enterFetch,
  keptBy,
  targetOf,
} from './applications/applications.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { downloadCopy } from './download/download.ts';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { releaseKeyBundle } from '../users/keys/key-bundle.ts';
import { findPasswordSlot, keyStateOf } from './key-state-repository.ts';

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

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * The keys with which an application unlocks offline (docs/spec/crypto.md §16).
 * @throws AppError `not_found` without keys; as `keptBy` and `releaseKeyBundle`
 */
async function releaseKeyPart(context: RequestContext, actor: Actor, applicationId: string | undefined) {
  const { deps } = context;
  const application = await keptBy(deps, actor, applicationId);
  if (!actor.hasKeys) throw new AppError('not_found');
  const bundle = await releaseKeyBundle(context, actor, application === null ? {} : { target: targetOf(application) });
  if (bundle.keyset === null) throw new AppError('not_found');
  const now = deps.clock.now();
  if (application !== null) {
    const columns = { key_state: stateOfBundle(bundle), key_fetched_at: now, updated_at: now };
    await deps.db.transactBeside((tx) => enterFetch(tx, application, columns));
  }
  const rsa_private_key_base64 = Buffer.from(JSON.stringify(bundle)).toString('base64');
  return { rsa_private_key_base64, timestamp: seconds(now) };
}

/** @throws AppError `not_found` without keys */
async function passwordSalt({ deps }: RequestContext, actor: Actor) {
  const slot = await findPasswordSlot(deps.db, actor.userId);
  if (slot === undefined) throw new AppError('not_found');
  return { salt_base64: slot.salt.toString('base64'), kdf: slot.kdf, timestamp: seconds(deps.clock.now()) };
}

const stateOfBundle = ({ certificate, slots, passkeys }: KeyBundle) =>
  keyStateOf(certificate?.fpr ?? '', slots, passkeys);
