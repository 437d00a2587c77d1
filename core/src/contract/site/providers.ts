/** What identity providers may do on this site. Their addresses and secrets are in the environment. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { boolean, choice, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

const names = () => optional(list(text({ trim: true, line: true, max: LIMITS.name }), 0, LIMITS.ssoLists));

/** A change of some of the settings. */
export const PROVIDER_SETTINGS = {
  /** People may sign in with it. */
  enabled: optionalScalar(boolean()),
  /** People without an account get one, if the lists below allow it. */
  create_accounts: optionalScalar(boolean()),
  /** Domains that the e-mail addresses of new accounts may have; empty: all. */
  allowed_domains: names(),
  groups_claim: optionalScalar(text({ trim: true, line: true, max: LIMITS.name })),
  /** Groups whose members may sign in, checked at every sign-in; empty: all. */
  allowed_groups: names(),
  /** `provider`: the second factor of the provider counts, if the ID token names it. */
  second_factor: optionalScalar(choice(['ours', 'provider'])),
  /** Values of `acr` in an ID token that mean a second factor. */
  accepted_acr: names(),
  accepted_amr: names(),
  /** The longest session, in hours. The limit of the site also applies. */
  session_hours: optionalScalar(integer(1, LIMITS.sessionHours)),
  /** The provider may end sessions with logout tokens (`sso/{provider_id}/backchannelLogout`). */
  back_channel_logout: optionalScalar(boolean()),
  /** A logout also leads to the logout page of the provider. */
  logout_at_provider: optionalScalar(boolean()),
};

export interface ProviderSettings {
  readonly enabled: boolean;
  readonly create_accounts: boolean;
  readonly allowed_domains: readonly string[];
  readonly groups_claim: string;
  readonly allowed_groups: readonly string[];
  readonly second_factor: 'ours' | 'provider';
  readonly accepted_acr: readonly string[];
  readonly accepted_amr: readonly string[];
  readonly session_hours: number;
  readonly back_channel_logout: boolean;
  readonly logout_at_provider: boolean;
}

export const Provider = z.object({
  provider_id: z.string(),
  name: z.string(),
  issuer: z.string(),
  has_secret: z.boolean(),
  enabled: z.boolean(),
  create_accounts: z.boolean(),
  allowed_domains: z.array(z.string()),
  groups_claim: z.string(),
  allowed_groups: z.array(z.string()),
  second_factor: z.enum(['ours', 'provider']),
  accepted_acr: z.array(z.string()),
  accepted_amr: z.array(z.string()),
  session_hours: z.number(),
  back_channel_logout: z.boolean(),
  logout_at_provider: z.boolean(),
  /** Members that the environment sets. */
  fixed: z.array(z.string()),
  /** Number of enabled accounts that are linked to it. */
  accounts: z.number(),
  /** Number of sessions that began there. */
  sessions: z.number(),
});
export type Provider = z.output<typeof Provider>;

const PROVIDERS = '/system/api/setting/providers';

export const listAll = endpoint({
  method: 'GET',
  path: PROVIDERS,
  summary: 'The identity providers of the environment, with what they may do here',
  access: 'site-reader',
  answer: { status: 200, schema: z.array(Provider) },
});

export const change = endpoint({
  method: 'PUT',
  path: `${PROVIDERS}/:providerId`,
  summary: 'Changes some settings of a provider; switching it off ends the sessions that it began',
  access: 'site-admin',
  textParams: ['providerId'],
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(PROVIDER_SETTINGS) },
  answer: { status: 200, schema: Provider },
});

export const test = endpoint({
  method: 'POST',
  path: `${PROVIDERS}/:providerId/test`,
  summary: 'Asks the provider for its addresses and keys, and lists what is missing',
  access: 'site-admin',
  textParams: ['providerId'],
  worksOnFullDisk: true,
  fresh: true,
  answer: { status: 200, schema: z.object({ ok: z.boolean(), problems: z.array(z.string()) }) },
});
