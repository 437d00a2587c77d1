/**
 * `state`, nonce and PKCE verifier of one way to a provider. They need no row: all are derived from the secret of the
 * cookie, so that only this browser can finish it. `state` is `provider.purpose.seconds.random.mac`.
 */
import { SSO_PURPOSES, type SsoPurpose } from '@passwordbroker/core/contract/account/sso';
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { Transact } from '../../db/database.ts';
import { presentedSecret } from '../../http/auth/session.ts';
import type { Deps, RequestContext } from '../../http/context.ts';
import { hmacSha256, randomText, sameText, sha256 } from '../../platform/ids-and-digests.ts';
import type { Outgoing } from './provider/provider-connection.ts';

const LIVES_SECONDS = 600;

interface Named {
  readonly providerId: string;
  readonly purpose: SsoPurpose;
  /** Unix time in seconds. */
  readonly at: number;
  /** For an invitation the secret of its ticket. */
  readonly random: string;
}

export interface SignInState extends Named, Outgoing {}

/** Null in a program without cookies. */
export function newState(
  deps: Deps,
  context: RequestContext,
  { providerId, purpose, random = randomText(16) }: Omit<Named, 'at' | 'random'> & { readonly random?: string },
): SignInState | null {
  const secret = presentedSecret(deps, context);
  const at = Math.floor(deps.clock.now() / 1000);
  return secret === null ? null : derived(secret, { providerId, purpose, at, random });
}

/** Null for a state of another browser, an old or an altered one. */
export function readState(deps: Deps, context: RequestContext, state: string): SignInState | null {
  const secret = presentedSecret(deps, context);
  const [providerId = '', purposeText = '', atText = '', random = '', , ...rest] = state.split('.');
  const purpose = SSO_PURPOSES.find((one) => one === purposeText);
  if (secret === null || purpose === undefined || rest.length > 0 || !/^\d{1,12}$/.test(atText)) return null;
  const known = derived(secret, { providerId, purpose, at: Number(atText), random });
  const age = deps.clock.now() / 1000 - known.at;
  return sameText(known.state, state) && age >= -1 && age < LIVES_SECONDS ? known : null;
}

function derived(secret: string, named: Named): SignInState {
  const { providerId, purpose, at, random } = named;
  const part = (name: string) =>
    hmacSha256(Buffer.from(secret), encodePieces(['sso', name, providerId, purpose, String(at), random])).toString(
      'base64url',
    );
  const state = [providerId, purpose, at, random, part('state')].join('.');
  return { ...named, state, nonce: part('nonce'), verifier: part('verifier') };
}

/** False for one that was taken before. */
export async function takeOnce(tx: Transact, id: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sso_used_once')
    .values({ id_hash: sha256(Buffer.from(id)), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export const endOfState = ({ at }: SignInState): number => (at + LIVES_SECONDS) * 1000;

export async function deleteUsedOnce(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('sso_used_once').where('expires_at', '<=', now).execute();
}
