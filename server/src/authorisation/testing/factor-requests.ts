/** Second factors. Accounts of this world have none, so that their passwords alone sign in. */
import { v7 } from 'uuid';
import type { Caller } from './callers.ts';
import { type CallRequest, type Requests, each, sends } from './sending.ts';
import type { World } from './world.ts';

/** Tokens are refused: second factors need the browser. */
const inBrowser = (status: number, request: CallRequest): CallRequest => ({
  ...request,
  status: ({ mode }) => (mode === 'bearer' ? 403 : status),
});

async function confirmedApp({ person }: Caller, { app }: World) {
  const { db, clock } = app.deps;
  const row = { totp_id: v7(), user_id: person.userId, secret: Buffer.alloc(20), last_step: 0 };
  await db.transact(async (tx) => {
    await tx.deleteFrom('user_totp').where('user_id', '=', person.userId).execute();
    const times = { created_at: clock.now(), confirmed_at: clock.now(), last_used_at: null };
    await tx
      .insertInto('user_totp')
      .values({ ...row, ...times })
      .execute();
  });
  return { params: { totpId: row.totp_id } };
}

async function rememberedBrowser({ person }: Caller, { app }: World) {
  const [browser_id, now] = [v7(), app.clock.now()];
  await app.deps.db.transact((tx) =>
    tx
      .insertInto('remembered_browsers')
      .values({
        browser_id,
        secret_hash: Buffer.from(browser_id),
        user_id: person.userId,
        epoch: 1,
        address: '127.0.0.1',
        user_agent: '',
        created_at: now,
        last_used_at: now,
        expires_at: now + 3_600_000,
      })
      .execute(),
  );
  return { params: { browserId: browser_id } };
}

/** The accounts of this world have passwords, so that a link is never the only way. */
async function linkOf(userId: string, { app }: World): Promise<string> {
  const link_id = v7();
  await app.deps.db.transact(async (tx) => {
    await tx.deleteFrom('user_sso_links').where('user_id', '=', userId).execute();
    const whose = { link_id, user_id: userId, provider_id: 'acme', issuer: 'https://id.example', subject: link_id };
    await tx
      .insertInto('user_sso_links')
      .values({ ...whose, email_then: '', created_at: app.clock.now(), last_used_at: null })
      .execute();
  });
  return link_id;
}

const target = (world: World) => ({ params: { id: world.target.userId } });

export const FACTOR_REQUESTS: Requests = {
  // No ticket is so short.
  'POST /identity/api/login/factor': {
    ...sends({ json: { ticket: 'pbl_t', method: 'totp', code: '123456' } }),
    status: () => 401,
  },
  'POST /identity/api/login/factor/options': { ...sends({ json: { ticket: 'pbl_t' } }), status: () => 401 },
  // It was not let in.
  'POST /identity/api/login/program': {
    ...sends({ json: { secret: 'x', code: '0000-0000', token_name: 'pb' }, address: '198.51.100.78' }),
    status: () => 401,
  },
  'POST /identity/api/programs': inBrowser(
    201,
    each(() => ({ json: { challenge: (v7() + v7()).replaceAll('-', '') } })),
  ),
  // No account has a passkey here; `passkeys/confirm.test.ts` confirms with one.
  'POST /identity/api/confirmPassword/options': inBrowser(404, sends()),
  'GET /identity/api/confirmWays': sends(),
  'GET /identity/api/factors': inBrowser(200, sends()),
  'POST /identity/api/factors/totp': inBrowser(201, sends()),
  'POST /identity/api/factors/totp/:totpId/confirm': inBrowser(
    404,
    each(() => ({ params: { totpId: v7() }, json: { code: '123456' } })),
  ),
  'DELETE /identity/api/factors/totp/:totpId': inBrowser(204, each(confirmedApp)),
  // Without a factor.
  'POST /identity/api/factors/recoveryCodes': inBrowser(409, sends()),
  'POST /identity/api/factors/recoveryCodes/check': inBrowser(409, sends({ json: { code: '123456' } })),
  'DELETE /identity/api/factors/remembered/:browserId': inBrowser(204, each(rememberedBrowser)),
  'DELETE /identity/api/factors/remembered': inBrowser(
    200,
    each(async (caller, world) => {
      await rememberedBrowser(caller, world);
      return {};
    }),
  ),
  // This world has no identity provider.
  'POST /identity/api/sso/:providerId/begin': {
    ...sends({ params: { providerId: 'acme' }, json: { purpose: 'login' } }),
    status: () => 404,
  },
  'POST /identity/api/sso/callback': {
    ...sends({ json: { query: 'state=x' }, address: '198.51.100.77' }),
    status: () => 401,
  },
  'POST /identity/api/sso/:providerId/backchannelLogout': {
    ...sends({ params: { providerId: 'acme' }, json: { logout_token: 'x' } }),
    status: () => 404,
  },
  'GET /identity/api/sso/links': inBrowser(200, sends()),
  'POST /identity/api/sso/links': inBrowser(401, sends({ json: { ticket: 'pbl_l' } })),
  'DELETE /identity/api/sso/links/:linkId': inBrowser(
    204,
    each(async ({ person }, world) => ({ params: { linkId: await linkOf(person.userId, world) } })),
  ),
  'GET /system/api/setting/providers': sends(),
  'PUT /system/api/setting/providers/:providerId': {
    ...sends({ params: { providerId: 'acme' }, json: { enabled: false } }),
    status: () => 404,
  },
  'POST /system/api/setting/providers/:providerId/test': {
    ...sends({ params: { providerId: 'acme' } }),
    status: () => 404,
  },
  'PUT /identity/api/user/:id/breakGlass': {
    ...each((_, world) => ({ ...target(world), json: { status: true } })),
    status: () => 409,
  },
  'GET /identity/api/user/:id/links': each((_, world) => target(world)),
  'DELETE /identity/api/user/:id/links/:linkId': each(async (_, world) => ({
    params: { id: world.target.userId, linkId: await linkOf(world.target.userId, world) },
  })),
  'GET /identity/api/user/:id/factors': each((_, world) => target(world)),
  'POST /identity/api/user/:id/factorReset': { ...each((_, world) => target(world)), status: () => 409 },
};
