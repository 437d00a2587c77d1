import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../app/config.ts';
import { environmentOf } from '../testing/sso-app.ts';

const ISSUER = 'https://id.example.org/realm';
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig({ ...environmentOf(ISSUER), ...environment });
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
};

test('a provider of the environment', () => {
  expect(readConfig(environmentOf(ISSUER)).providers).toMatchObject([
    { id: 'acme', issuer: ISSUER, auth: 'basic', algorithm: 'RS256', name: 'Acme', scopes: 'openid email profile' },
  ]);
  expect(readConfig({}).providers).toEqual([]);
});

test.each([
  [{ OIDC_PROVIDERS: 'acme,acme' }, 'twice'],
  [{ OIDC_PROVIDERS: 'Acme' }, "'Acme' is not one"],
  [{ OIDC_PROVIDERS: 'a b c d e f g h i' }, 'at most 8'],
  [{ OIDC_ACME_ISSUER: 'http://id.example.org' }, 'OIDC_ACME_ISSUER must be an https:// address'],
  [{ OIDC_ACME_ISSUER: 'https://id.example.org/?x' }, 'OIDC_ACME_ISSUER'],
  [{ OIDC_ACME_ISSUER: 'https://a:b@id.example.org' }, 'OIDC_ACME_ISSUER'],
  [{ OIDC_ACME_CLIENT_ID: '' }, 'OIDC_ACME_CLIENT_ID must be set'],
  [{ OIDC_ACME_CLIENT_SECRET: '' }, 'OIDC_ACME_CLIENT_SECRET must be set'],
  [{ OIDC_ACME_AUTH: 'none' }, 'must be absent'],
  [{ OIDC_ACME_ALG: 'none' }, 'OIDC_ACME_ALG must be one of: RS256, PS256, ES256, EdDSA.'],
  [{ OIDC_ACME_ALG: 'HS256' }, 'OIDC_ACME_ALG'],
  [{ OIDC_ACME_SCOPES: 'email' }, 'openid'],
  [{ OIDC_ACME_SETTINGS: '{"enabled": "maybe"}' }, 'OIDC_ACME_SETTINGS must be JSON'],
  [{ OIDC_ACME_SETTINGS: '{"enbled": true}' }, 'OIDC_ACME_SETTINGS must be JSON'],
  [{ OIDC_ACME_SETTINGS: '{"create_accounts": true}' }, 'Say which domains or groups may have accounts.'],
  [{ OIDC_ACME_SETTINGS: '{"second_factor": "provider"}' }, 'accepted_acr or accepted_amr'],
] as [Record<string, string>, string][])('%j is refused in a sentence', (environment, words) => {
  const problems = problemsOf(environment).join('\n');
  expect(problems).toContain(words);
  expect(problems).not.toContain('client-secret');
});
