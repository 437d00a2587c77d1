/** What one sign-in service may do here. Its address and secret are in the environment of the server. */
import { backChannelLogout } from '@passwordbroker/core/contract/account/sso';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { change, type Provider, type ProviderSettings, test } from '@passwordbroker/core/contract/site/providers';
import { translated } from '@passwordbroker/core/texts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { Badge } from '@passwordbroker/ui/display/badge';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { ReadOnlyContext } from '@passwordbroker/ui/inputs/field-frame';
import { Select } from '@passwordbroker/ui/inputs/select';
import { Switch } from '@passwordbroker/ui/inputs/switch';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { type ReactNode, use, useState } from 'react';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import { useMayChange } from '../../session/use-session.ts';
import { ADMIN_PROVIDERS_TEXTS as TEXTS } from '../../texts/admin/providers.ts';
import admin from '../admin.module.css';
import { NumberField, SettingsCard, useSettingsForm } from '../settings/settings-card.tsx';

interface Props {
  readonly provider: Provider;
  readonly onSaved: (provider: Provider) => void;
}

export function ProviderCard({ provider, onSaved }: Props) {
  const { provider_id: providerId, name, issuer, enabled, fixed, sessions } = provider;
  const mayChange = useMayChange();
  const save = async (changes: Partial<ProviderValues>) => {
    const saved = await http.call(change, { params: { providerId }, body: bodyOf(changes) });
    onSaved(saved);
    return valuesOf(saved);
  };
  const form = useSettingsForm<ProviderValues>(valuesOf(provider), save, () => undefined);
  const { values, set } = form;
  /** A setting of the environment is shown, and cannot be changed. */
  const setting = (of: ProviderSetting, show: (hint: (own?: string) => string | undefined) => ReactNode) => (
    <Setting isFixed={fixed.includes(of)}>
      {show((own) => (fixed.includes(of) ? [own, TEXTS.fixed].filter((text) => text !== undefined).join(' ') : own))}
    </Setting>
  );
  const list = (
    of: 'allowed_domains' | 'allowed_groups' | 'accepted_acr' | 'accepted_amr',
    label: string,
    own: string,
  ) =>
    setting(of, (hint) => (
      <TextArea label={label} hint={hint(own)} rows={2} value={values[of]} onChange={(text) => set({ [of]: text })} />
    ));
  return (
    <SettingsCard
      title={name}
      form={form}
      mark={<Badge tone={enabled ? 'success' : 'plain'} text={enabled ? TEXTS.on : TEXTS.off} />}
      verbs={mayChange && <TestButton providerId={providerId} name={name} />}
    >
      <div>
        <p className={admin['code']}>{issuer}</p>
        <p className={admin['hint']}>
          {[
            TEXTS.linked(provider.accounts),
            TEXTS.sessions(sessions),
            ...(provider.has_secret ? [] : [TEXTS.noSecret]),
          ].join(' · ')}
        </p>
      </div>
      {setting('enabled', (hint) => (
        <div>
          <Switch label={TEXTS.enabled} isOn={values.enabled} onChange={(isOn) => set({ enabled: isOn })} />
          <p className={admin['hint']}>{hint()}</p>
        </div>
      ))}
      {enabled && !values.enabled && sessions > 0 && (
        <MessageBox tone="warning" lines={[TEXTS.endsSessions(sessions)]} />
      )}
      {setting('create_accounts', (hint) => (
        <Checkbox
          isSelected={values.create_accounts}
          hint={hint(TEXTS.createAccountsHint) ?? ''}
          onChange={(create_accounts) => set({ create_accounts })}
        >
          {TEXTS.createAccounts}
        </Checkbox>
      ))}
      <div className={admin['two']}>
        {list('allowed_domains', TEXTS.allowedDomains, TEXTS.allowedDomainsHint)}
        {list('allowed_groups', TEXTS.allowedGroups, TEXTS.allowedGroupsHint)}
        {setting('groups_claim', (hint) => (
          <TextField
            label={TEXTS.groupsClaim}
            hint={hint(TEXTS.groupsClaimHint)}
            value={values.groups_claim}
            onChange={(groups_claim) => set({ groups_claim })}
            autoComplete="off"
          />
        ))}
        {setting('session_hours', (hint) => (
          <NumberField
            label={TEXTS.sessionHours}
            hint={hint(TEXTS.sessionHoursHint) ?? ''}
            value={values.session_hours}
            onChange={(session_hours) => set({ session_hours })}
          />
        ))}
        {setting('second_factor', (hint) => (
          <Select
            label={TEXTS.secondFactor}
            hint={hint(TEXTS.secondFactorHint)}
            value={values.second_factor}
            onChange={(value) => set({ second_factor: value === 'provider' ? 'provider' : 'ours' })}
            options={(['ours', 'provider'] as const).map((value) => ({
              value,
              title: TEXTS.secondFactorChoices[value],
            }))}
          />
        ))}
      </div>
      {values.second_factor === 'provider' && (
        <div className={admin['two']}>
          {list('accepted_acr', TEXTS.acceptedAcr, TEXTS.acceptedHint)}
          {list('accepted_amr', TEXTS.acceptedAmr, TEXTS.acceptedHint)}
        </div>
      )}
      {setting('logout_at_provider', (hint) => (
        <Checkbox
          isSelected={values.logout_at_provider}
          hint={hint(TEXTS.logoutThereHint(`${location.origin}/identity/login`)) ?? ''}
          onChange={(logout_at_provider) => set({ logout_at_provider })}
        >
          {TEXTS.logoutThere}
        </Checkbox>
      ))}
      {setting('back_channel_logout', (hint) => (
        <Checkbox
          isSelected={values.back_channel_logout}
          hint={
            hint(TEXTS.backChannelHint(`${location.origin}${fillPath(backChannelLogout.path, { providerId })}`)) ?? ''
          }
          onChange={(back_channel_logout) => set({ back_channel_logout })}
        >
          {TEXTS.backChannel}
        </Checkbox>
      ))}
    </SettingsCard>
  );
}

function Setting({ isFixed, children }: { readonly isFixed: boolean; readonly children: ReactNode }) {
  const isReadOnly = use(ReadOnlyContext);
  return <ReadOnlyContext value={isReadOnly || isFixed}>{children}</ReadOnlyContext>;
}

type Tested = { readonly problems: readonly string[] } | { readonly failure: string };

function TestButton({ providerId, name }: { readonly providerId: string; readonly name: string }) {
  const [isBusy, setBusy] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const run = async () => {
    setBusy(true);
    setTested(null);
    try {
      setTested(await freshSignIn.tryRun(() => http.call(test, { params: { providerId } })));
    } catch (failure) {
      setTested({ failure: reasonOf(failure) });
    }
    setBusy(false);
  };
  return (
    <>
      <Button label={TEXTS.testNamed(name)} busy={isBusy} busyLabel={TEXTS.testing} onPress={() => void run()}>
        {TEXTS.test}
      </Button>
      {tested !== null && <TestResult name={name} tested={tested} />}
    </>
  );
}

function TestResult({ name, tested }: { readonly name: string; readonly tested: Tested }) {
  if ('failure' in tested) return <MessageBox tone="danger" lines={[tested.failure]} />;
  if (tested.problems.length === 0) return <MessageBox tone="success" lines={[TEXTS.good(name)]} />;
  return <MessageBox tone="warning" title={TEXTS.bad(name)} lines={tested.problems.map(translated)} />;
}

type List = 'allowed_domains' | 'allowed_groups' | 'accepted_acr' | 'accepted_amr';

type ProviderSetting = keyof ProviderSettings;
/** As the form shows them: lists have one value in each line. */
type ProviderValues = Omit<ProviderSettings, List> & Readonly<Record<List, string>>;

const valuesOf = (provider: Provider): ProviderValues => ({
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

function bodyOf(changes: Partial<ProviderValues>): BodyOf<typeof change> {
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
