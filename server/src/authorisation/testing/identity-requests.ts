/** Sessions, tokens, invitations and one's own keys. */
import { v7 } from 'uuid';
import { create as invite } from '@passwordbroker/core/contract/users/invites';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { insertInviteGroups } from '../../invites/invite-group-repository.ts';
import { insertPasskey, writeWrap } from '../../passkeys/passkey-repository.ts';
import { makePasskey } from '../../passkeys/testing/authenticator.ts';
import { findDocument, storeDocument } from '../../users/keys/key-repository.ts';
import { testPerson } from '../../testing/test-person.ts';
import { type Requests, type Sending, about, each, sends, withMasterPassword } from './sending.ts';
import type { Caller } from './callers.ts';
import type { World } from './world.ts';

/** The last part of the link of a new invitation. */
async function newInvite({ people }: World, email = `${v7()}@example.org`) {
  const { inviteLinkUrl, invite: made } = await people.SA.call(invite, { body: { user: { email } } });
  return { token: inviteLinkUrl.split('/').at(-1) ?? '', inviteId: made.invite_id };
}

/** An invitation of the site admin, with a group to share. */
async function acceptedInvite(world: World): Promise<string> {
  const { inviteId } = await newInvite(world);
  const { deps } = world.app;
  await deps.db.transact(async (tx) => {
    const accepted = { accepted_at: deps.clock.now(), accepted_by: world.target.userId };
    await tx.updateTable('invites').set(accepted).where('invite_id', '=', inviteId).execute();
    await insertInviteGroups(tx, inviteId, [{ entry_group_id: v7(), role: 'member' }]);
  });
  return inviteId;
}

/** Keys take long to make, so the same person signs up repeatedly. */
export async function forgetPerson({ app }: World, userId: string): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    await tx.deleteFrom('users').where('user_id', '=', userId).execute();
    await tx.deleteFrom('user_certificates').where('user_id', '=', userId).execute();
  });
}

/** A session or token of the person that is not used otherwise. */
async function looseSession({ app }: World, userId: string, kind: 'cookie' | 'token'): Promise<string> {
  const { deps } = app;
  const [session_id, now] = [v7(), deps.clock.now()];
  await deps.db.transact(async (tx) => {
    const { epoch } = await tx
      .selectFrom('users')
      .select('epoch')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const only = kind === 'token' ? { name: session_id, scopes: 'read' } : { name: null, scopes: null };
    const times = { created_at: now, last_seen_at: now, expires_at: now + 3_600_000, confirmed_at: now };
    const row = { session_id, secret_hash: Buffer.from(session_id), kind, user_id: userId, epoch, ...only, ...times };
    await tx
      .insertInto('sessions')
      .values({
        ...row,
        address: '127.0.0.1',
        user_agent: '',
        weak_password: 0,
        method: 'password',
        factor: '',
        provider_id: null,
        provider_sid: null,
      })
      .execute();
  });
  return session_id;
}

/** A registration as the caller's browser sends it. It is valid for signed-in browsers only. */
async function registration(caller: Caller) {
  const mayAsk = caller.isSignedIn && caller.mode === 'cookie';
  const { path, method } = passkeys.registrationOptions;
  const answer = mayAsk ? await caller.send({ path, method, json: { uses: ['unlock'] } }) : null;
  const asked = answer?.status === 200 ? answer.json<AnswerOf<typeof passkeys.registrationOptions>>() : null;
  const options = asked?.options ?? { challenge: 'AA', rp: { id: 'localhost' }, user: { id: 'AA' } };
  const { attestation } = makePasskey(options, 'http://localhost:8080');
  const options_token = asked?.options_token ?? 'none';
  return { json: { attestation, options_token, name: 'Laptop', uses: ['unlock'], has_prf: true } };
}

/** A passkey of the person; with `hasWrap` it opens the vault. */
async function loosePasskey({ app }: World, userId: string, hasWrap: boolean): Promise<string> {
  const [passkey_id, now] = [v7(), app.clock.now()];
  const wrap = { slot_id: v7(), kdf: 'W1', salt: Buffer.alloc(16), blob: SLOT_SHAPE, version: 1, created_at: now };
  await app.deps.db.transact(async (tx) => {
    await tx.deleteFrom('user_passkeys').where('user_id', '=', userId).execute();
    await insertPasskey(tx, {
      passkey_id,
      user_id: userId,
      credential_id: Buffer.from(passkey_id),
      rp_id: 'localhost',
      handle: 1,
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: '',
      aaguid: '',
      backed_up: 0,
      has_prf: 1,
      name: 'Laptop',
      for_factor: 0,
      for_sign_in: 0,
      created_at: now,
      created_address: '127.0.0.1',
      created_agent: '',
      last_used_at: null,
    });
    if (hasWrap) await writeWrap(tx, { ...wrap, passkey_id, user_id: userId });
  });
  return passkey_id;
}
const SLOT_SHAPE = Buffer.concat([Buffer.from([0x50, 0x42, 0x31, 1]), Buffer.alloc(112)]);

const aboutPasskey = (hasWrap: boolean, sending: () => Sending, isOthers = false) =>
  each(async ({ person }, world) => {
    const owner = isOthers ? world.target.userId : person.userId;
    return { ...sending(), params: { passkeyId: await loosePasskey(world, owner, hasWrap) } };
  });
const storing = (): Sending => {
  const slot = { slot_id: v7(), kdf: 'W1', salt_base64: Buffer.alloc(16).toString('base64') };
  const json = { slot: { ...slot, blob_base64: SLOT_SHAPE.toString('base64') } };
  return { json, headers: { 'if-match': '0' }, proof: true };
};
const renaming = (): Sending => ({ json: { name: 'Phone' } });
const removing = (): Sending => ({ headers: { 'if-match': '1' } });

const openInvite = about(newInvite, ({ token }) => ({ params: { token } }));
const signIn = each(({ person }) => ({ json: { email: person.email, password: person.password } }));
const own = (kind: 'cookie' | 'token', name: string) =>
  each(async ({ person }, world) => ({ params: { [name]: await looseSession(world, person.userId, kind) } }));
const others = (kind: 'cookie' | 'token', name: string) =>
  about(
    (world) => looseSession(world, world.target.userId, kind),
    (id) => ({ params: { [name]: id } }),
  );

export const IDENTITY_REQUESTS: Requests = {
  'GET /sanctum/csrf-cookie': sends(),
  'GET /identity/api/me': sends(),
  'GET /system/api/setup': sends(),
  'GET /system/api/openapi.json': sends(),
  'GET /health': sends(),
  'GET /ready': sends(),
  'GET /metrics': sends({ address: '192.0.2.9' }),
  'GET /identity/api/invite/:token': openInvite,
  'POST /identity/api/invite/:token': {
    spends: true,
    ...each(async (_caller, world) => {
      const person = await testPerson('joining');
      await forgetPerson(world, person.userId);
      const { token } = await newInvite(world);
      const { userId: user_id, name: username, password, bundle: key_bundle } = person;
      return {
        params: { token },
        json: { user: { user_id, username, password, password_confirmation: password, key_bundle } },
      };
    }),
  },
  'POST /identity/api/login': { ...signIn, spends: true },
  'POST /identity/api/passkey/options': sends(),
  // A passkey is bound to the cookie that asked; `passkeys/sign-in.test.ts` signs in with one.
  'POST /identity/api/passkey/login': {
    ...sends({
      json: {
        assertion: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
        },
        options_token: 'none',
      },
    }),
    status: () => 401,
  },
  'GET /identity/api/logout': { ...sends(), spends: true },
  'POST /identity/api/logout': { ...sends(), spends: true },

  'POST /identity/api/invite': each(() => ({ json: { user: { email: `${v7()}@example.org` } } })),
  'GET /identity/api/invites': sends(),
  'DELETE /identity/api/invites/:inviteId': about(newInvite, ({ inviteId }) => ({ params: { inviteId } })),
  'GET /identity/api/invites/joined': sends(),
  'DELETE /identity/api/invites/:inviteId/groups': about(acceptedInvite, (inviteId) => ({ params: { inviteId } })),
  'GET /identity/api/inviter': sends(),

  'GET /identity/api/sessions': sends(),
  'DELETE /identity/api/sessions': { ...sends(), spends: true },
  'DELETE /identity/api/sessions/:sessionId · one’s own': own('cookie', 'sessionId'),
  'DELETE /identity/api/sessions/:sessionId · another’s': others('cookie', 'sessionId'),
  'POST /identity/api/token': sends({ json: { token_name: 'made' } }),
  'GET /identity/api/tokens': sends(),
  'DELETE /identity/api/tokens/:tokenId · one’s own': own('token', 'tokenId'),
  'DELETE /identity/api/tokens/:tokenId · another’s': others('token', 'tokenId'),
  'GET /system/api/tokens': sends(),
  'DELETE /system/api/tokens/:tokenId': others('token', 'tokenId'),
  'PUT /identity/api/password': {
    spends: true,
    ...each(({ person: { password } }) => ({
      json: { current_password: password, password, password_confirmation: password },
    })),
  },
  'GET /identity/api/ownEvents': sends(),
  // It is the only way to sign in of everybody here; `own-password.test.ts` removes one. Tokens are refused.
  'DELETE /identity/api/password': { ...sends(), status: ({ mode }) => (mode === 'bearer' ? 403 : 409) },
  'POST /identity/api/confirmPassword': each(({ person: { password } }) => ({ json: { password } })),

  'GET /identity/api/notices': sends(),
  'GET /identity/api/notices/count': sends(),
  'POST /identity/api/notices/read': sends({ json: { up_to: v7() } }),
  'GET /identity/api/notices/settings': sends(),
  'PUT /identity/api/notices/settings': sends({ json: { kinds: { group_added: 'here' } } }),

  'GET /identity/api/keyBundle': sends(),
  'PUT /identity/api/keyBundle/slots/:slotType': each(async ({ person }, { app }) => {
    // A service account has none.
    const { version } = (await app.deps.db.read
      .selectFrom('user_key_slots')
      .select('version')
      .where('user_id', '=', person.userId)
      .where('slot_type', '=', 'password')
      .executeTakeFirst()) ?? { version: 1 };
    const { slot_id, kdf, salt_base64, blob_base64 } = person.bundle.slots[0] ?? {};
    const headers = { 'if-match': String(version) };
    const json = { slot: { slot_id, kdf, salt_base64, blob_base64 } };
    return { params: { slotType: 'password' }, json, headers, proof: true };
  }),
  'DELETE /identity/api/keyBundle/slots/:slotType': each(async ({ person }, { app }) => {
    const keys = {
      slot_id: v7(),
      slot_type: 'recovery',
      kdf: 'R1',
      salt: Buffer.alloc(0),
      blob: Buffer.alloc(1),
    } as const;
    await app.deps.db.transact(async (tx) => {
      const slots = tx.deleteFrom('user_key_slots').where('user_id', '=', person.userId);
      await slots.where('slot_type', '=', 'recovery').execute();
      const row = { ...keys, user_id: person.userId, version: 1, created_at: app.clock.now() };
      await tx.insertInto('user_key_slots').values(row).execute();
    });
    return { params: { slotType: 'recovery' }, headers: { 'if-match': '1' }, proof: true };
  }),
  'GET /identity/api/keyBundle/grants': sends(),
  'GET /identity/api/factors/passkeys': sends(),
  'POST /identity/api/factors/passkeys/options': sends({ json: { uses: ['unlock'] } }),
  'POST /identity/api/factors/passkeys': each((caller) => registration(caller)),
  'PUT /identity/api/factors/passkeys/:passkeyId · one’s own': aboutPasskey(true, renaming),
  'PUT /identity/api/factors/passkeys/:passkeyId · another’s': aboutPasskey(true, renaming, true),
  'DELETE /identity/api/factors/passkeys/:passkeyId · one’s own': aboutPasskey(true, () => ({})),
  'DELETE /identity/api/factors/passkeys/:passkeyId · another’s': aboutPasskey(true, () => ({}), true),
  'PUT /identity/api/keyBundle/passkeys/:passkeyId · one’s own': aboutPasskey(false, storing),
  'PUT /identity/api/keyBundle/passkeys/:passkeyId · another’s': aboutPasskey(false, storing, true),
  'DELETE /identity/api/keyBundle/passkeys/:passkeyId · one’s own': aboutPasskey(true, removing),
  'DELETE /identity/api/keyBundle/passkeys/:passkeyId · another’s': aboutPasskey(true, removing, true),
  'GET /identity/api/keyBundle/onlyMine': sends(),
  // New keys would invalidate everything sealed for the caller in this world, so the request has a
  // stale version.
  'PUT /identity/api/keyBundle': {
    status: () => 412,
    ...each(({ person }) => ({
      json: { key_bundle: person.bundle },
      headers: { 'if-match': '99' },
      proof: true,
    })),
  },
  'GET /identity/api/keyBundle/documents/:name': each(async ({ person }, { app }) => {
    const document = { userId: person.userId, name: 'trust', blob: Buffer.from('sealed'), replaced: 0, version: 1 };
    const stored = await findDocument(app.deps.db, person.userId, 'trust');
    if (stored === undefined) await app.deps.db.transact((tx) => storeDocument(tx, document));
    return { params: { name: 'trust' } };
  }),
  'PUT /identity/api/keyBundle/documents/:name': each(async ({ person }, { app }) => {
    const n = ((await findDocument(app.deps.db, person.userId, 'settings'))?.n ?? 0) + 1;
    const blob_base64 = await sealDocument(person.keyring, { name: 'settings', n }, {});
    const headers = { 'if-match': String(n - 1) };
    return { params: { name: 'settings' }, json: { blob_base64 }, headers, proof: true };
  }),
  'PUT /identity/api/serverCryptoOptOut': sends({ json: { status: false } }),
  'POST /identity/api/trustedKeys': each((caller, { target }) => ({
    json: withMasterPassword(caller, { user_id: target.userId, fpr: target.keyring.fingerprint }),
  })),
  'POST /identity/api/masterPassword': each((caller) => ({
    json: withMasterPassword(caller, {
      new_master_password: caller.person.masterPassword,
      new_master_password_confirmation: caller.person.masterPassword,
    }),
  })),
};
