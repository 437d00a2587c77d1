/** Service accounts: one’s own, and those of others. */
import { v7 } from 'uuid';
import { newServiceBody } from '../../testing/test-service.ts';
import { randomText } from '../../platform/ids-and-digests.ts';
import { type Requests, about, each, sends } from './sending.ts';
import type { World } from './world.ts';

const DAY = 24 * 60 * 60_000;

/** A service account of this person, without a credential that works. For a service account: itself. */
async function serviceOf({ app, service }: World, ownerId: string): Promise<{ id: string; slotId: string }> {
  const { deps } = app;
  const [id, slotId] = [ownerId === service.userId ? ownerId : v7(), crypto.randomUUID()];
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    if (id !== ownerId) {
      const row = await tx
        .selectFrom('users')
        .selectAll()
        .where('user_id', '=', service.userId)
        .executeTakeFirstOrThrow();
      const named = { user_id: id, name: id, name_key: id, email_key: `service ${id}`, keyset_version: 0 };
      await tx
        .insertInto('users')
        .values({ ...row, ...named })
        .execute();
      const account = { description: '', allowed_networks: '', owner_id: ownerId, former_owner: null };
      await tx
        .insertInto('service_accounts')
        .values({ ...account, user_id: id, credential_due: 0, is_stopped: 0 })
        .execute();
    }
    // At most two credentials of an account live.
    await tx
      .deleteFrom('service_credentials')
      .where('user_id', '=', id)
      .where('slot_id', '!=', service.slotId)
      .execute();
    const times = { created_at: now, expires_at: now + DAY, last_used_at: null, ended_at: null, told_at: null };
    const sealed = { kdf: 'S1' as const, blob: Buffer.alloc(116), token_hash: Buffer.from(randomText(24)) };
    await tx
      .insertInto('service_credentials')
      .values({ slot_id: slotId, user_id: id, ...sealed, last_address: null, ...times })
      .execute();
  });
  return { id, slotId };
}

const own = (json?: object) =>
  each(async (caller, world) => ({
    params: await serviceOf(world, caller.person.userId),
    ...(json === undefined ? {} : { json }),
  }));

const ofAnother = (json?: object) =>
  about(
    (world) => serviceOf(world, world.target.userId),
    (params) => ({ params, ...(json === undefined ? {} : { json }) }),
  );

async function newKeys(id: string) {
  const { body } = await newServiceBody('', id);
  return { key_bundle: body.key_bundle, credential: body.credential };
}

/** Removes what `serviceOf` added, so that there is room for one. */
async function onlyFirstCredential({ app, service }: World): Promise<void> {
  await app.deps.db.transact((tx) =>
    tx
      .deleteFrom('service_credentials')
      .where('user_id', '=', service.userId)
      .where('slot_id', '!=', service.slotId)
      .execute(),
  );
}

async function nextCredential({ service }: World) {
  const { body } = await newServiceBody('', service.userId);
  return { params: { id: service.userId }, json: { ...body.credential, end_others_in_hours: 1 }, proof: true };
}

export const SERVICE_REQUESTS: Requests = {
  'POST /identity/api/serviceAccounts': each(async () => {
    const { body } = await newServiceBody(`program ${randomText(8)}`);
    return { json: body, proof: true };
  }),
  'GET /identity/api/serviceAccounts': sends(),
  'GET /identity/api/serviceAccount/:id · one’s own': own(),
  'GET /identity/api/serviceAccount/:id · another’s': ofAnother(),
  'PUT /identity/api/serviceAccount/:id · one’s own': own({ description: 'x' }),
  'PUT /identity/api/serviceAccount/:id · another’s': ofAnother({ description: 'x' }),
  'DELETE /identity/api/serviceAccount/:id · one’s own': own(),
  'DELETE /identity/api/serviceAccount/:id · another’s': ofAnother(),
  'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · one’s own': own(),
  'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · another’s': ofAnother(),
  'POST /identity/api/serviceAccount/:id/credentials': {
    make: async (world) => {
      await onlyFirstCredential(world);
      return () => nextCredential(world);
    },
  },
  'POST /identity/api/serviceAccount/:id/keys · one’s own': each(async (caller, world) => {
    const { id } = await serviceOf(world, caller.person.userId);
    return { params: { id }, json: await newKeys(id) };
  }),
  'POST /identity/api/serviceAccount/:id/keys · another’s': about(
    (world) => serviceOf(world, world.target.userId),
    async ({ id }) => ({ params: { id }, json: await newKeys(id) }),
  ),
};
