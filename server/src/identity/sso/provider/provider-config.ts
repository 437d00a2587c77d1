/** Identity providers of the environment. The panel can never name a host, and has no secrets. */
import { urlOf } from '@passwordbroker/core/domain/url';
import { isLoopbackHost } from '../../../platform/networks.ts';
import { readSettings, settingsProblem, type ProviderSettings } from './provider-settings.ts';

export interface ProviderConfig {
  readonly id: string;
  /** Compared character by character. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for `none`. */
  readonly clientSecret: string | null;
  readonly auth: ClientAuth;
  /** The one algorithm of its tokens. */
  readonly algorithm: Algorithm;
  readonly name: string;
  readonly scopes: string;
  /** What the environment fixes. */
  readonly fixed: Partial<ProviderSettings>;
}

const CLIENT_AUTHS = ['basic', 'post', 'none'] as const;
type ClientAuth = (typeof CLIENT_AUTHS)[number];

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const MOST = 8;
const ID = /^[a-z][a-z0-9-]{0,30}$/;
const NAME_LENGTH = 60;

type Read = (name: string) => string | null;

/** Reads `OIDC_PROVIDERS` and the variables of each. Adds a sentence for each problem, never a value of a secret. */
export function readProviders(read: Read, problems: string[]): ProviderConfig[] {
  const ids = (read('OIDC_PROVIDERS') ?? '').split(/[\s,]+/).filter((id) => id !== '');
  if (ids.length > MOST) problems.push(`OIDC_PROVIDERS can name at most ${MOST} providers.`);
  if (new Set(ids).size < ids.length) problems.push('OIDC_PROVIDERS names a provider twice.');
  return ids.flatMap((id) => {
    if (ID.test(id)) return [readProvider(id, read, problems)];
    problems.push(`OIDC_PROVIDERS must list names such as google or work-id: '${id}' is not one.`);
    return [];
  });
}

function readProvider(id: string, read: Read, problems: string[]): ProviderConfig {
  const prefix = `OIDC_${id.toUpperCase().replaceAll('-', '_')}`;
  const oneOf = <T extends string>(part: string, choices: readonly T[], fallback: T): T => {
    const text = read(`${prefix}_${part}`);
    const found = text === null ? fallback : choices.find((choice) => choice === text);
    if (found === undefined) problems.push(`${prefix}_${part} must be one of: ${choices.join(', ')}.`);
    return found ?? fallback;
  };
  const required = (part: string): string => {
    const text = read(`${prefix}_${part}`);
    if (text === null) problems.push(`${prefix}_${part} must be set, because OIDC_PROVIDERS names ${id}.`);
    return text ?? '';
  };
  const issuer = required('ISSUER');
  if (issuer !== '' && !isIssuer(issuer)) {
    problems.push(
      `${prefix}_ISSUER must be an https:// address without a query, exactly as the provider names itself.`,
    );
  }
  const auth = oneOf('AUTH', CLIENT_AUTHS, 'basic');
  const clientSecret = auth === 'none' ? read(`${prefix}_CLIENT_SECRET`) : required('CLIENT_SECRET');
  if (auth === 'none' && clientSecret !== null) {
    problems.push(`${prefix}_CLIENT_SECRET must be absent with ${prefix}_AUTH=none.`);
  }
  const scopes = read(`${prefix}_SCOPES`) ?? 'openid email profile';
  if (!scopes.split(' ').includes('openid')) problems.push(`${prefix}_SCOPES must have openid among them.`);
  const name = read(`${prefix}_NAME`) ?? id;
  if (name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) {
    problems.push(`${prefix}_NAME must be one line of at most ${NAME_LENGTH} characters.`);
  }
  return {
    id,
    issuer,
    clientId: required('CLIENT_ID'),
    clientSecret,
    auth,
    algorithm: oneOf('ALG', ALGORITHMS, 'RS256'),
    name,
    scopes,
    fixed: fixedFrom(`${prefix}_SETTINGS`, read, problems),
  };
}

function isIssuer(text: string): boolean {
  const url = urlOf(text);
  if (url === null) return false;
  const { protocol, hostname, search, hash, username, password } = url;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isSafe && search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(text);
}

function fixedFrom(name: string, read: Read, problems: string[]): Partial<ProviderSettings> {
  const text = read(name);
  if (text === null) return {};
  const settings = readSettings(text);
  if (settings === null) problems.push(`${name} must be JSON with settings of a provider, such as {"enabled": true}.`);
  const problem = settings === null ? null : settingsProblem(settings);
  if (problem !== null) problems.push(`${name}: ${problem.text}`);
  return settings ?? {};
}
