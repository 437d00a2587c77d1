/** Applications and the offline copy. */
import { v7 } from 'uuid';
import { type CallRequest, type Requests, about, each, sends } from './sending.ts';
import type { World } from './world.ts';

/** An application of the person that is not used otherwise. */
async function application({ app }: World, userId: string): Promise<string> {
  const [id, now] = [v7(), app.clock.now()];
  const unused = {
    is_offline: 0,
    copy_fetched_at: null,
    key_state: null,
    key_fetched_at: null,
  } as const;
  const row = {
    user_application_id: id,
    user_id: userId,
    client_id: v7(),
    ...unused,
    created_at: now,
    updated_at: now,
  };
  await app.deps.db.transact((tx) => tx.insertInto('user_applications').values(row).execute());
  return id;
}

const BOTH = [
  'GET /identity/api/userApplication/:id',
  'DELETE /identity/api/userApplication/:id',
  'GET /identity/api/userApplication/:id/offlineDatabaseMode',
  'PUT /identity/api/userApplication/:id/offlineDatabaseMode',
  'GET /identity/api/userApplication/:id/isRsaPrivateRequiredUpdate',
  'GET /identity/api/userApplication/:id/isOfflineDatabaseRequiredUpdate',
];

const bodyOf = (short: string) => (short.startsWith('PUT') ? { json: { status: true } } : {});
const own = (short: string): CallRequest =>
  each(async ({ person }, world) => ({ params: { id: await application(world, person.userId) }, ...bodyOf(short) }));
const others = (short: string): CallRequest =>
  about(
    (world) => application(world, world.target.userId),
    (id) => ({ params: { id }, ...bodyOf(short) }),
  );

export const OFFLINE_REQUESTS: Requests = {
  ...Object.fromEntries(
    BOTH.flatMap((short) => [
      [`${short} · one’s own`, own(short)],
      [`${short} · another’s`, others(short)],
    ]),
  ),
  'GET /identity/api/userApplication/:id/standing': about(
    (world) => application(world, world.target.userId),
    (id) => ({ params: { id } }),
  ),
  'GET /identity/api/userApplications': sends(),
  'POST /identity/api/userApplications': each(() => ({ json: { clientId: v7() } })),
  'GET /identity/api/getPrivateRsa': sends(),
  'GET /identity/api/getCbcSalt': sends(),
  'GET B/entryGroupsWithFields': sends(),
};
