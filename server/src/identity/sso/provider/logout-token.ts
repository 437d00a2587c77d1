/** Logout tokens (OpenID Connect Back-Channel Logout 1.0), with which a provider ends sessions. */
import type * as Jose from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { ProviderConfig } from './provider-config.ts';
import { fetchOnly, ProviderAway } from './provider-fetch.ts';
import { SsoFailure } from './sso-failure.ts';

/** Seconds that a provider's clock may differ. */
const TOLERANCE = 60;
/** Seconds. */
const LIVES = 600;
const TEXT_LENGTH = 255;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Whose sessions ended at the provider: at least one of `sid` and `subject`. */
export interface EndedThere {
  readonly jti: string;
  readonly sid: string | null;
  readonly subject: string | null;
}

/** Keeps the keys of the provider for some minutes: anyone may send tokens that name an unknown key. */
export function logoutReader(
  provider: ProviderConfig,
  clock: { now(): number },
  metadataOf: () => Promise<ServerMetadata>,
): (token: string) => Promise<EndedThere> {
  let kept: { readonly address: string; readonly keys: Jose.JWTVerifyGetKey } | null = null;
  const keysAt = (jose: typeof Jose, address: string): Jose.JWTVerifyGetKey => {
    if (kept?.address !== address) {
      const fetchKeys = fetchOnly(provider, [new URL(address).host]);
      const keys = jose.createRemoteJWKSet(new URL(address), {
        [jose.customFetch]: (url) => fetchKeys(url, { method: 'GET' }),
      });
      kept = { address, keys };
    }
    return kept.keys;
  };
  return async (token) => {
    const jose = await import('jose');
    try {
      // First what needs no request to the provider, so that guesses cause none.
      const ended = readClaims(jose.decodeProtectedHeader(token), jose.decodeJwt(token), provider, clock.now());
      const { jwks_uri = '' } = await metadataOf();
      await jose.jwtVerify(token, keysAt(jose, jwks_uri), {
        algorithms: [provider.algorithm],
        issuer: provider.issuer,
        audience: provider.clientId,
        requiredClaims: ['iat', 'exp', 'jti'],
        clockTolerance: TOLERANCE,
        maxTokenAge: LIVES,
        currentDate: new Date(clock.now()),
      });
      return ended;
    } catch (error) {
      if (error instanceof SsoFailure || error instanceof ProviderAway) throw error;
      throw new SsoFailure(error instanceof jose.errors.JOSEError ? error.code : 'no_token');
    }
  };
}

/** @throws SsoFailure */
function readClaims(
  { alg, typ = 'JWT' }: Jose.ProtectedHeaderParameters,
  claims: Jose.JWTPayload,
  { algorithm, issuer, clientId }: ProviderConfig,
  now: number,
): EndedThere {
  const demand = (isRight: boolean, reason: string) => {
    if (!isRight) throw new SsoFailure(reason);
  };
  const { iss, aud, iat, exp, jti, sub, sid, events } = claims;
  demand(alg === algorithm, 'alg');
  // An ID token of some providers has no type of its own: its nonce, and the events, tell them apart.
  demand(/^(?:JWT|(?:application\/)?logout\+jwt)$/i.test(typ), 'typ');
  demand(iss === issuer, 'iss');
  demand([aud].flat().includes(clientId), 'aud');
  demand(typeof iat === 'number' && Math.abs(now / 1000 - iat) <= LIVES + TOLERANCE, 'iat');
  demand(typeof exp === 'number', 'exp');
  demand(!('nonce' in claims), 'nonce');
  demand(isLogout(events), 'events');
  demand(isText(jti), 'jti');
  demand(sub === undefined || isText(sub), 'sub');
  demand(sid === undefined || isText(sid), 'sid');
  demand(sub !== undefined || sid !== undefined, 'nobody');
  return { jti: String(jti), subject: sub ?? null, sid: isText(sid) ? sid : null };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= TEXT_LENGTH;

const isLogout = (events: unknown): boolean => isObject(events) && isObject(events[EVENT]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
