/** The settings of a sign-in service as a form shows them: lists have one value in each line. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { change, Provider, ProviderSettings } from '@passwordbroker/core/contract/site/providers';

type List = 'allowed_domains' | 'allowed_groups' | 'accepted_acr' | 'accepted_amr';

export type ProviderSetting = keyof ProviderSettings;
export type ProviderValues = Omit<ProviderSettings, List> & Readonly<Record<List, string>>;

export const valuesOf = (provider: Provider): ProviderValues => ({
  enabled: provider.enabled,
  create_accounts: provider.create_accounts,
  groups_claim: provider.groups_claim,
  second_factor: provider.second_factor,
  session_hours: provider.session_hours,
  back_channel_logout: provider.back_channel_logout,
  logout_at_provider: provider.logout_at_provider,
  allowed_domains: provider.allowed_domains.join('\n'),
  allowed_groups: provider.allowed_groups.join('\n'),
  accepted_acr: provider.accepted_acr.join('\n'),
  accepted_amr: provider.accepted_amr.join('\n'),
});

export function bodyOf(changes: Partial<ProviderValues>): BodyOf<typeof change> {
  const { allowed_domains, allowed_groups, accepted_acr, accepted_amr, ...others } = changes;
  return {
    ...others,
    allowed_domains: linesOf(allowed_domains),
    allowed_groups: linesOf(allowed_groups),
    accepted_acr: linesOf(accepted_acr),
    accepted_amr: linesOf(accepted_amr),
  };
}

const linesOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
