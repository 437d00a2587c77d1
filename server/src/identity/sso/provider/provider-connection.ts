/**
 * The way to an identity provider: discovery, the exchange of a code, and its claims. Access and refresh tokens are
 * dropped, but for the address from `userinfo`.
 */
import type * as Oidc from 'openid-client';
import { urlOf } from '@passwordbroker/core/domain/url';
import { isLoopbackHost } from '../../../platform/networks.ts';
import { SERVER_TEXTS } from '../../../platform/texts.ts';
import type { ProviderConfig } from './provider-config.ts';
import { logoutReader, type EndedThere } from './logout-token.ts';
import { fetchOnly, ProviderAway, readJson } from './provider-fetch.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { SsoFailure } from './sso-failure.ts';

const HOUR = 3_600_000;
/** Seconds that a provider's clock may differ. */
const TOLERANCE = 60;
const SUBJECT_LENGTH = 255;
/** More groups than a provider would put into a token. */
const MOST_GROUPS = 5000;

export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly sid: string | null;
  readonly acr: string | null;
  readonly amr: readonly string[];
  /** Unix ms; null if the provider does not say. */
  readonly authTime: number | null;
  /** Null: the claim is absent, or names another place. */
  readonly groups: readonly string[] | null;
}

export interface Outgoing {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Asking extends Outgoing {
  readonly redirectUri: string;
  readonly more: Readonly<Record<string, string>>;
}

interface Returned extends Outgoing {
  readonly redirectUri: string;
  /** Without question mark. */
  readonly query: string;
  readonly groupsClaim: string;
}

export interface ProviderConnection {
  /** @throws ProviderAway */
  authorizationUrl(asking: Asking): Promise<string>;
  /** @throws ProviderAway; SsoFailure for an answer that does not hold */
  finish(returned: Returned): Promise<Claims>;
  /** @throws ProviderAway; SsoFailure for a logout token that does not hold */
  readLogout(token: string): Promise<EndedThere>;
  /** The address where a person signs out there; null if the provider has none. @throws ProviderAway */
  logoutUrl(backTo: string): Promise<string | null>;
  /** Asks for addresses and keys anew; sentences about what is missing for these settings. */
  problems(wanted: Pick<ProviderSettings, 'back_channel_logout' | 'logout_at_provider'>): Promise<string[]>;
}

export interface KnownProvider extends ProviderConfig {
  readonly connection: ProviderConnection;
}

/** By id, in the order of the environment. */
export type Providers = ReadonlyMap<string, KnownProvider>;

interface Clock {
  /** Unix time in ms. */
  now(): number;
}

export const openProviders = (providers: readonly ProviderConfig[], clock: Clock): Providers =>
  new Map(providers.map((one) => [one.id, { ...one, connection: connectProvider(one, clock) }]));

/** Reads nothing from the provider until it is needed. */
function connectProvider(provider: ProviderConfig, clock: Clock): ProviderConnection {
  const metadataOf = discovering(provider, clock);
  const configure = async () => {
    const oidc = await import('openid-client');
    const metadata = await metadataOf();
    // For each sign-in anew: keys that the provider has changed are seen at once.
    const configuration = new oidc.Configuration(
      metadata,
      provider.clientId,
      {
        id_token_signed_response_alg: provider.algorithm,
        [oidc.clockTolerance]: TOLERANCE,
        [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      },
      clientAuth(oidc, provider),
    );
    if (provider.issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    oidc.enableNonRepudiationChecks(configuration);
    configuration[oidc.customFetch] = fetchOnly(provider, hostsOf(metadata));
    return { oidc, configuration };
  };
  return {
    async authorizationUrl({ state, nonce, verifier, redirectUri, more }) {
      const { oidc, configuration } = await configure();
      const { href } = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: provider.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...more,
      });
      return href;
    },
    readLogout: logoutReader(provider, clock, metadataOf),
    async logoutUrl(backTo) {
      const { end_session_endpoint: address } = await metadataOf();
      if (address === undefined) return null;
      const url = new URL(address);
      url.searchParams.set('client_id', provider.clientId);
      url.searchParams.set('post_logout_redirect_uri', backTo);
      return url.href;
    },
    async problems({ back_channel_logout, logout_at_provider }) {
      try {
        const metadata = await discover(provider);
        const { jwks_uri = '' } = metadata;
        const { keys } = await readJson(await fetchOnly(provider, hostsOf(metadata))(jwks_uri, { method: 'GET' }));
        const { token_endpoint_auth_methods_supported: auths, id_token_signing_alg_values_supported: algs } = metadata;
        return [
          ...(Array.isArray(keys) && keys.length > 0 ? [] : [SERVER_TEXTS.providerNoKeys]),
          ...(supports(auths, AUTH_NAMES[provider.auth]) ? [] : [SERVER_TEXTS.providerAuth(AUTH_NAMES[provider.auth])]),
          ...(supports(algs, provider.algorithm) ? [] : [SERVER_TEXTS.providerAlgorithm(provider.algorithm)]),
          ...(logout_at_provider && metadata.end_session_endpoint === undefined ? [SERVER_TEXTS.providerNoLogout] : []),
          ...(back_channel_logout && metadata['backchannel_logout_supported'] === false
            ? [SERVER_TEXTS.providerNoBackChannel]
            : []),
        ];
      } catch (error) {
        if (!(error instanceof ProviderAway)) throw error;
        return [SERVER_TEXTS.providerUnusable(error.reason)];
      }
    },
    async finish({ state, nonce, verifier, redirectUri, query, groupsClaim }) {
      const { oidc, configuration } = await configure();
      try {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new SsoFailure('no_id_token');
        checkClaims(claims, clock.now());
        const hasMore = typeof claims['email'] !== 'string' && configuration.serverMetadata().userinfo_endpoint;
        const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        return readClaims(claims, more, groupsClaim);
      } catch (error) {
        throw asFailure(error);
      }
    },
  };
}

const AUTH_NAMES = { basic: 'client_secret_basic', post: 'client_secret_post', none: 'none' } as const;

/** True also where the provider does not say. */
const supports = (known: unknown, name: string): boolean => !Array.isArray(known) || known.includes(name);

function clientAuth(oidc: typeof Oidc, { auth, clientSecret }: ProviderConfig): Oidc.ClientAuth {
  if (auth === 'none' || clientSecret === null) return oidc.None();
  return auth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}

/** Caches it for an hour, and the last good one for a day while the provider is away. Asks once for many at a time. */
function discovering(provider: ProviderConfig, clock: Clock): () => Promise<Oidc.ServerMetadata> {
  let kept: { readonly metadata: Oidc.ServerMetadata; readonly at: number } | null = null;
  let running: Promise<Oidc.ServerMetadata> | null = null;
  const renew = async () => {
    const now = clock.now();
    try {
      const metadata = await discover(provider);
      kept = { metadata, at: now };
      return metadata;
    } catch (error) {
      if (kept !== null && now >= kept.at && now < kept.at + 24 * HOUR) return kept.metadata;
      throw error;
    } finally {
      running = null;
    }
  };
  return async () => {
    const now = clock.now();
    if (kept !== null && now >= kept.at && now < kept.at + HOUR) return kept.metadata;
    running ??= renew();
    return running;
  };
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const MORE_ENDPOINTS = ['userinfo_endpoint', 'end_session_endpoint'] as const;

/** @throws ProviderAway also for a provider that names itself otherwise, or an unsafe address */
async function discover(provider: ProviderConfig): Promise<Oidc.ServerMetadata> {
  const { issuer } = provider;
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await readJson(await fetchOnly(provider, [new URL(issuer).host])(url, { method: 'GET' }));
  if (found['issuer'] !== issuer) throw new ProviderAway('other_issuer');
  for (const name of ENDPOINTS) if (!isSafeEndpoint(provider, found[name])) throw new ProviderAway(`no_${name}`);
  for (const name of MORE_ENDPOINTS) {
    if (found[name] !== undefined && !isSafeEndpoint(provider, found[name])) throw new ProviderAway(`bad_${name}`);
  }
  return found as unknown as Oidc.ServerMetadata;
}

/** Addresses of numbers, and this machine, only where the issuer is at the same host. */
function isSafeEndpoint({ issuer }: ProviderConfig, value: unknown): boolean {
  const url = typeof value === 'string' ? urlOf(value) : null;
  if (url === null) return false;
  const own = new URL(issuer);
  if (url.protocol !== own.protocol && url.protocol !== 'https:') return false;
  const isNumeric = /^[\d.]+$|^\[/.test(url.hostname);
  return url.hostname === own.hostname || (!isNumeric && !isLoopbackHost(url.hostname));
}

/** Where the server itself goes; the browser goes to the other two. */
const hostsOf = (metadata: Oidc.ServerMetadata): string[] =>
  [metadata.token_endpoint, metadata.jwks_uri, metadata.userinfo_endpoint].flatMap((url) =>
    url === undefined ? [] : [new URL(url).host],
  );

/** What the library leaves to us. @throws SsoFailure */
function checkClaims({ sub, iat }: Oidc.IDToken, now: number): void {
  if (sub.length < 1 || sub.length > SUBJECT_LENGTH) throw new SsoFailure('sub');
  if (iat * 1000 > now + TOLERANCE * 1000) throw new SsoFailure('iat_ahead');
}

function readClaims(claims: Oidc.IDToken, more: Readonly<Record<string, unknown>>, groupsClaim: string): Claims {
  const textOf = (name: string): string | null => {
    const value = claims[name] ?? more[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  // `email_verified` counts only from the source that also gives the address.
  const from = typeof claims['email'] === 'string' ? claims : more;
  const { acr, auth_time } = claims;
  const groups = claims[groupsClaim] ?? more[groupsClaim];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf('email'),
    isEmailVerified: from['email_verified'] === true,
    name: textOf('name') ?? textOf('preferred_username'),
    sid: typeof claims['sid'] === 'string' && claims['sid'].length <= SUBJECT_LENGTH ? claims['sid'] : null,
    acr: typeof acr === 'string' ? acr : null,
    amr: textsOf(claims['amr']) ?? [],
    authTime: typeof auth_time === 'number' ? auth_time * 1000 : null,
    groups: textsOf(groups),
  };
}

function textsOf(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length > MOST_GROUPS) return null;
  return value.filter((one): one is string => typeof one === 'string');
}

/** Keeps words of the protocol alone: messages and causes can contain claims. */
function asFailure(error: unknown): Error {
  if (error instanceof SsoFailure) return error;
  const chain: unknown[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  const away = chain.find((one) => one instanceof ProviderAway);
  if (away !== undefined) return away;
  const words = chain.flatMap((one) => {
    const { code, error: answered, cause } = one as Readonly<Record<'code' | 'error' | 'cause', unknown>>;
    // A wrong client secret: the header of the 401 alone says so (RFC 6749 §5.2).
    const challenges = Array.isArray(cause) ? (cause as { readonly parameters?: { readonly error?: unknown } }[]) : [];
    return [answered, ...challenges.map(({ parameters }) => parameters?.error), code].filter(
      (word): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word),
    );
  });
  return new SsoFailure(words[0] ?? 'unknown');
}
