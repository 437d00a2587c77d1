import type { register } from '@passwordbroker/core/contract/account/passkeys';
import type { CreationOptions, Passkey } from '@passwordbroker/core/contract/account/webauthn';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import { csrfSecret } from '../http/auth/session.ts';
import { deleteOtherSessions, dropFactorOfSessions } from '../http/auth/session-repository.ts';
import type { Actor, Context, Deps, RequestContext } from '../http/context.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { RecoveryCodes } from '@passwordbroker/core/contract/account/factors';
import { addedFactor, demandMayEnrol, removedFactor } from '../identity/factors/enrol.ts';
import { signsInWithoutPassword } from '../identity/local-sign-in/ways-in.ts';
import { challengeOfToken, makeChallenge } from './challenge.ts';
import {
  asPasskey,
  deletePasskey,
  findPasskey,
  hasSignInPasskey,
  insertPasskey,
  listPasskeys,
  listWrapVersions,
  namedPasskey,
  rememberChallenge,
  setName,
} from './passkey-repository.ts';
import { allowedUses, demandUse, HANDLES, type PasskeyUse, singleUse, userHandleOf } from './rules.ts';
import { ALGORITHMS, PASSKEY_TIMEOUT_MS, readAttestation } from './webauthn.ts';
import { recordWrapRemoved } from './wraps.ts';

export async function listOwnPasskeys(deps: Deps, actor: Actor) {
  const rows = await listPasskeys(deps.db.read, actor.userId);
  const allowed = await allowedUses(deps);
  const passkeys = rows.map((row) => asPasskey(row, deps.config.rpId));
  return { can_unlock: allowed.unlock, can_sign_in: allowed.sign_in, passkeys };
}

type Asking = RequestContext & { readonly actor: Actor };

/** @throws AppError `forbidden` while passkeys are off; `conflict` if the person has too many, or may not enrol */
export async function registrationOptions(
  context: Asking,
  uses: readonly PasskeyUse[],
): Promise<{ options: CreationOptions; options_token: string }> {
  const { deps, actor } = context;
  const use = singleUse(uses);
  const rpId = await mayAdd(context, use);
  const present = await listPasskeys(deps.db.read, actor.userId);
  if (present.length >= LIMITS.passkeys) throw new AppError('conflict', { message: SERVER_TEXTS.tooManyPasskeys });
  const { challenge, optionsToken } = makeChallenge(csrfSecret(deps, context), 'register', deps.clock.now());
  const options: CreationOptions = {
    rp: { id: rpId, name: 'PasswordBroker' },
    user: { id: userHandleOf(actor.userId, HANDLES[use]), name: NAMES[use](actor.email), displayName: actor.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PASSKEY_TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: present.filter((row) => row.handle === HANDLES[use] && row.rp_id === rpId).map(namedPasskey),
    authenticatorSelection: {
      residentKey: RESIDENT_KEYS[use],
      userVerification: use === 'factor' ? 'preferred' : 'required',
    },
    extensions: { credProps: true },
  };
  return { options, options_token: optionsToken };
}

/** Returns the host. A session that must set up a second factor may add nothing else. */
async function mayAdd({ deps, actor }: Registering | Asking, use: PasskeyUse): Promise<string> {
  if (use === 'factor') await demandMayEnrol(deps, actor);
  else if (actor.restriction === 'link') throw new AppError('sso_link_required');
  else if (actor.restriction !== null) throw new AppError('second_factor_enrolment_required');
  return demandUse(deps, use);
}

const RESIDENT_KEYS = { factor: 'preferred', sign_in: 'required', unlock: 'discouraged' } as const;
const NAMES: Readonly<Record<PasskeyUse, (email: string) => string>> = {
  factor: (email) => `${email} (second factor)`,
  sign_in: (email) => email,
  unlock: (email) => `${email} (unlock)`,
};

type Registering = Context<typeof register, BodyOf<typeof register>>;

/**
 * The answered challenge works once. @throws AppError `validation` for another challenge, origin or host; `id_taken`,
 * `conflict`, `forbidden`; `unauthenticated` if the session has ended
 */
export async function registerPasskey(
  context: Registering,
): Promise<{ passkey: Passkey; recovery_codes: RecoveryCodes | null }> {
  const { deps, actor, origin, body } = context;
  const use = singleUse(body.uses);
  const rpId = await mayAdd(context, use);
  const now = deps.clock.now();
  const asked = challengeOfToken(csrfSecret(deps, context), 'register', body.options_token, now);
  const notAccepted = () => refuse('attestation', SERVER_TEXTS.passkeyNotAccepted);
  if (asked === null) throw notAccepted();
  const expected = {
    challenge: asked.challenge,
    origin: deps.config.publicUrl,
    rpId,
    needsVerification: use !== 'factor',
  };
  const made = await readAttestation(body.attestation, expected);
  if (made === null) throw notAccepted();
  const row = {
    passkey_id: deps.newId(),
    user_id: actor.userId,
    credential_id: made.credentialId,
    rp_id: rpId,
    handle: HANDLES[use],
    public_key: made.publicKey,
    counter: made.counter,
    transports: (body.attestation.response.transports ?? []).filter((one) => /^[\w-]+$/.test(one)).join(' '),
    aaguid: made.aaguid,
    backed_up: made.isBackedUp ? 1 : 0,
    has_prf: body.has_prf ? 1 : 0,
    name: body.name,
    for_factor: use === 'factor' ? 1 : 0,
    for_sign_in: use === 'sign_in' ? 1 : 0,
    created_at: now,
    created_address: origin.address,
    created_agent: origin.userAgent,
    last_used_at: null,
  } as const;
  const recovery_codes = await deps.db
    .transact(async (tx) => {
      const user = await demandOwnSession(tx, actor);
      const challenge_hash = sha256(Buffer.from(asked.challenge));
      if (!(await rememberChallenge(tx, { challenge_hash, expires_at: asked.expiresAt }))) throw notAccepted();
      const { length } = await listPasskeys(tx, actor.userId);
      if (length >= LIMITS.passkeys) throw new AppError('conflict', { message: SERVER_TEXTS.tooManyPasskeys });
      await insertPasskey(tx, row);
      if (use === 'factor') {
        return addedFactor(tx, context, user, { factor: 'passkey', endsTokens: body.revoke_tokens ?? true });
      }
      await recordEvent(tx, deps, { event_type: 'passkey_added', actor, origin, details: { use } });
      if (use === 'sign_in') await giveNotice(tx, deps, 'sign-in passkey added', { to: actor, origin });
      return null;
    })
    .catch((error: unknown) => {
      if (brokenUniqueness(error) !== 'user_passkeys.credential_id') throw error;
      throw new AppError('id_taken', { message: SERVER_TEXTS.passkeyRegistered });
    });
  return { passkey: asPasskey({ ...row, wrap_version: null }, rpId), recovery_codes };
}

/**
 * The audit log does not have the names. The name that is there already changes nothing.
 * @throws AppError `not_found`; `unauthenticated` if the session has ended
 */
export async function renamePasskey(
  { deps, actor, origin }: RequestContext & { readonly actor: Actor },
  passkeyId: string,
  name: string,
): Promise<{ passkey: Passkey }> {
  return deps.db.transact(async (tx) => {
    await demandOwnSession(tx, actor);
    const passkey = (await listPasskeys(tx, actor.userId)).find(({ passkey_id }) => passkey_id === passkeyId);
    if (passkey === undefined) throw new AppError('not_found');
    if (passkey.name !== name) {
      await setName(tx, passkeyId, name);
      await recordEvent(tx, deps, { event_type: 'passkey_renamed', actor, origin });
    }
    return { passkey: asPasskey({ ...passkey, name }, deps.config.rpId) };
  });
}

/**
 * Removes a passkey and its wrap. One that signs in may have begun other sessions: they end. The last one no longer counts
 * as the second factor of the present session and of tokens.
 * @throws AppError `not_found`; `conflict` for the last second factor under a policy that asks for one, and for the only
 * way to sign in
 */
export async function removePasskey(
  context: RequestContext & { readonly actor: Actor },
  passkeyId: string,
): Promise<undefined> {
  const { deps, actor, origin } = context;
  await deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    const passkey = await findPasskey(tx, actor.userId, passkeyId);
    if (passkey === undefined) throw new AppError('not_found');
    if (passkey.for_factor === 1) {
      await deletePasskey(tx, passkeyId);
      return removedFactor(tx, context, user, 'passkey');
    }
    const wraps = await listWrapVersions(tx, actor.userId);
    if (wraps.some(({ passkey_id }) => passkey_id === passkeyId)) await recordWrapRemoved(tx, deps, context);
    await deletePasskey(tx, passkeyId);
    await recordEvent(tx, deps, { event_type: 'passkey_removed', actor, origin });
    if (passkey.for_sign_in === 0) return;
    if (user.has_password === 0 && !(await signsInWithoutPassword({ ...deps, db: { read: tx } }, user))) {
      throw new AppError('conflict', { message: SERVER_TEXTS.onlyWayIn });
    }
    await deleteOtherSessions(tx, actor.userId, actor.sessionId);
    // Beside a second factor the present session would end without one.
    if (!(await hasSignInPasskey(tx, actor.userId)) && actor.factorState !== 'set')
      await dropFactorOfSessions(tx, actor.userId, ['passkey']);
    await giveNotice(tx, deps, 'sign-in passkey removed', { to: actor, origin });
  });
  return undefined;
}
