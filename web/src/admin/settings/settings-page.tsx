/** `/admin/settings/` (docs/spec/decisions.md I11). */
import {
  changeLimits,
  changeNetworks,
  changeSettings,
  type SiteLimits,
  type SiteNetworks,
  type SiteSettings,
} from '@passwordbroker/core/contract/site/site';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_SETTINGS_TEXTS as TEXTS } from '../../texts/admin/settings.ts';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import styles from '../admin.module.css';
import { Failed, Waiting } from '../list-parts.tsx';
import { NumberField, SettingsCard, useSettingsForm } from './settings-card.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useLimits, useNetworks, useSettings, useStorage } from './use-settings.ts';
import { http } from '../../page/page.ts';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';

const MIB = 1024 * 1024;

export function SettingsPage() {
  usePageTitle(TEXTS.page);
  const site = useSettings();
  const limits = useLimits();
  const networks = useNetworks();
  const failure = site.error ?? limits.error ?? networks.error;
  const retry = () => {
    void site.refetch();
    void limits.refetch();
    void networks.refetch();
  };
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
      </header>
      {failure !== null && <Failed text={TEXTS.failed} failure={failure} onRetry={retry} />}
      {failure === null && [site, limits, networks].some(({ data }) => data === undefined) && (
        <Waiting text={TEXTS.loading} />
      )}
      {site.data !== undefined && <SiteForm settings={site.data} onSaved={site.keep} />}
      <SignInForm />
      {limits.data !== undefined && <LimitsForm limits={limits.data} onSaved={limits.keep} />}
      {limits.data !== undefined && <StorageForm limits={limits.data} onSaved={limits.keep} />}
      {networks.data !== undefined && <NetworksForm networks={networks.data} onSaved={networks.keep} />}
    </div>
  );
}

const optionsOf = <Value extends string>(choices: Readonly<Record<Value, string>>) =>
  (Object.entries(choices) as [Value, string][]).map(([value, title]) => ({ value, title }));

const OFFLINE_COPIES = {
  allowed: { offline_allowed: true, offline_files: true },
  withoutFiles: { offline_allowed: true, offline_files: false },
  off: { offline_allowed: false, offline_files: false },
} as const;

const offlineCopiesOf = ({ offline_allowed, offline_files }: SiteSettings) =>
  !offline_allowed ? 'off' : offline_files ? 'allowed' : 'withoutFiles';

interface SiteFormProps {
  readonly settings: SiteSettings;
  readonly onSaved: (settings: SiteSettings) => void;
}

function SiteForm({ settings, onSaved }: SiteFormProps) {
  const form = useSettingsForm<SiteSettings>(settings, (body) => http.call(changeSettings, { body }), onSaved);
  const { values, set } = form;
  return (
    <SettingsCard title={TEXTS.site} updatedAt={settings.updated_at} form={form}>
      <div className={styles['two']}>
        <Select
          label={TEXTS.serverCrypto}
          hint={TEXTS.serverCryptoHint}
          value={values.server_crypto}
          onChange={(value) => set({ server_crypto: value === 'off' ? 'off' : 'allowed' })}
          options={optionsOf(TEXTS.serverCryptoChoices)}
        />
        <Select
          label={TEXTS.passwordPolicy}
          hint={TEXTS.passwordPolicyHint}
          value={values.password_policy}
          onChange={(value) => set({ password_policy: value === 'strict' ? 'strict' : 'warn' })}
          options={optionsOf(TEXTS.passwordPolicyChoices)}
        />
        {values.password_policy === 'strict' && (
          <>
            <NumberField
              label={TEXTS.passwordMinLength}
              hint={TEXTS.passwordMinLengthHint}
              value={values.password_min_length}
              onChange={(length) => set({ password_min_length: length })}
            />
            <NumberField
              label={TEXTS.passwordMinScore}
              hint={TEXTS.passwordMinScoreHint}
              value={values.password_min_score}
              onChange={(score) => set({ password_min_score: score })}
            />
          </>
        )}
      </div>
      <div className={styles['two']}>
        <Select
          label={TEXTS.unverifiedMembers}
          hint={TEXTS.unverifiedMembersHint}
          value={values.require_verified_members ? 'refused' : 'allowed'}
          onChange={(value) => set({ require_verified_members: value === 'refused' })}
          options={optionsOf(TEXTS.unverifiedMembersChoices)}
        />
        <Select
          label={TEXTS.offlineCopies}
          hint={TEXTS.offlineCopiesHint}
          value={offlineCopiesOf(values)}
          onChange={(value) => set(OFFLINE_COPIES[value as keyof typeof OFFLINE_COPIES])}
          options={optionsOf(TEXTS.offlineCopiesChoices)}
        />
        <Select
          label={TEXTS.exportBy}
          hint={TEXTS.exportByHint}
          value={values.export_by}
          onChange={(value) => set({ export_by: value as SiteSettings['export_by'] })}
          options={optionsOf(TEXTS.exportByChoices)}
        />
        <Select
          label={ADMIN_TEXTS.serviceAccounts}
          hint={TEXTS.serviceAccountsHint}
          value={values.service_accounts}
          onChange={(value) => set({ service_accounts: value as SiteSettings['service_accounts'] })}
          options={optionsOf(TEXTS.serviceAccountsChoices)}
        />
        <Select
          label={TEXTS.exportPlain}
          hint={TEXTS.exportPlainHint}
          value={values.export_plain ? 'allowed' : 'off'}
          onChange={(value) => set({ export_plain: value === 'allowed' })}
          options={optionsOf(TEXTS.exportPlainChoices)}
        />
        <Select
          label={TEXTS.passkeySignIn}
          hint={TEXTS.passkeySignInHint}
          value={values.passkey_sign_in}
          onChange={(value) => set({ passkey_sign_in: value === 'off' ? 'off' : 'allowed' })}
          options={optionsOf(TEXTS.passkeySignInChoices)}
        />
        <Select
          label={TEXTS.passkeyUnlock}
          hint={TEXTS.passkeyUnlockHint}
          value={values.passkey_unlock}
          onChange={(value) => set({ passkey_unlock: value === 'off' ? 'off' : 'separate' })}
          options={optionsOf(TEXTS.passkeyUnlockChoices)}
        />
        <Select
          label={TEXTS.recoveryKit}
          hint={TEXTS.recoveryKitHint}
          value={values.recovery_kit}
          onChange={(value) => set({ recovery_kit: value === 'required' ? 'required' : 'optional' })}
          options={optionsOf(TEXTS.recoveryKitChoices)}
        />
        <NumberField
          label={TEXTS.trashDays}
          hint={TEXTS.trashDaysHint}
          value={values.trash_days}
          onChange={(days) => set({ trash_days: days })}
        />
        <NumberField
          label={TEXTS.logMonths}
          hint={TEXTS.logMonthsHint}
          value={values.log_months}
          onChange={(months) => set({ log_months: months })}
        />
      </div>
    </SettingsCard>
  );
}

interface LimitsFormProps {
  readonly limits: SiteLimits;
  readonly onSaved: (limits: SiteLimits) => void;
}

function LimitsForm({ limits, onSaved }: LimitsFormProps) {
  const form = useSettingsForm<SiteLimits>(limits, (body) => http.call(changeLimits, { body }), onSaved);
  const { values, set } = form;
  return (
    <SettingsCard title={TEXTS.limits} updatedAt={limits.updated_at} form={form}>
      <div className={styles['two']}>
        <NumberField
          label={TEXTS.idleMinutes}
          hint={TEXTS.idleMinutesHint}
          value={values.session_idle_minutes}
          onChange={(minutes) => set({ session_idle_minutes: minutes })}
        />
        <NumberField
          label={TEXTS.sessionHours}
          hint={TEXTS.sessionHoursHint}
          value={values.session_hours}
          onChange={(hours) => set({ session_hours: hours })}
        />
        <NumberField
          label={TEXTS.lockMinutes}
          hint={TEXTS.lockMinutesHint}
          value={values.lock_minutes}
          onChange={(minutes) => set({ lock_minutes: minutes })}
        />
        <NumberField
          label={TEXTS.inviteDays}
          hint={TEXTS.inviteDaysHint}
          value={values.invite_days}
          onChange={(days) => set({ invite_days: days })}
        />
        <NumberField
          label={TEXTS.tokenDays}
          hint={TEXTS.tokenDaysHint}
          value={values.token_days}
          onChange={(days) => set({ token_days: days })}
        />
        <NumberField
          label={TEXTS.fileMib}
          hint={TEXTS.fileMibHint(formatFileSize(values.file_mib * MIB))}
          value={values.file_mib}
          onChange={(mib) => set({ file_mib: mib })}
        />
      </div>
    </SettingsCard>
  );
}

interface NetworksFormProps {
  readonly networks: SiteNetworks;
  readonly onSaved: (networks: SiteNetworks) => void;
}

function NetworksForm({ networks, onSaved }: NetworksFormProps) {
  const form = useSettingsForm<SiteNetworks>(networks, (body) => http.call(changeNetworks, { body }), onSaved);
  const { values, set } = form;
  return (
    <SettingsCard title={TEXTS.networks} updatedAt={networks.updated_at} form={form}>
      <p className={styles['hint']}>{TEXTS.networksHint(networks.your_address)}</p>
      <TextArea
        label={TEXTS.signInNetworks}
        hint={TEXTS.signInNetworksHint}
        value={values.sign_in_networks}
        onChange={(list) => set({ sign_in_networks: list })}
        rows={2}
      />
      <TextArea
        label={TEXTS.adminNetworks}
        hint={TEXTS.adminNetworksHint}
        value={values.admin_networks}
        onChange={(list) => set({ admin_networks: list })}
        rows={2}
      />
    </SettingsCard>
  );
}

interface Props {
  readonly limits: SiteLimits;
  readonly onSaved: (limits: SiteLimits) => void;
}

function StorageForm({ limits, onSaved }: Props) {
  const form = useSettingsForm<SiteLimits>(limits, (body) => http.call(changeLimits, { body }), onSaved);
  const { values, set } = form;
  return (
    <SettingsCard title={TEXTS.storage} updatedAt={limits.updated_at} form={form}>
      <StorageUse siteQuota={limits.site_quota_mib * MIB} />
      <div className={styles['two']}>
        <NumberField
          label={TEXTS.personQuota}
          hint={hintOf(values.person_quota_mib)}
          value={values.person_quota_mib}
          onChange={(mib) => set({ person_quota_mib: mib })}
        />
        <NumberField
          label={TEXTS.siteQuota}
          hint={hintOf(values.site_quota_mib)}
          value={values.site_quota_mib}
          onChange={(mib) => set({ site_quota_mib: mib })}
        />
      </div>
      <p className={styles['hint']}>{TEXTS.quotaHint}</p>
    </SettingsCard>
  );
}

const hintOf = (mib: number) => (mib > 0 ? formatFileSize(mib * MIB) : TEXTS.anyAmount);

function StorageUse({ siteQuota }: { readonly siteQuota: number }) {
  const { data, error, isFetching, refetch } = useStorage();
  if (error !== null && !isFetching) {
    return <Failed text={TEXTS.storageFailed} failure={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Waiting text={TEXTS.storageLoading} />;
  const { total_bytes, free_bytes, margin_bytes } = data.disk;
  const [stored, total, free, margin] = [data.stored_bytes, total_bytes, free_bytes, margin_bytes].map(formatFileSize);
  return (
    <div>
      <p>{siteQuota > 0 ? TEXTS.storedOf(stored ?? '', formatFileSize(siteQuota)) : TEXTS.stored(stored ?? '')}</p>
      <p>{TEXTS.disk(free ?? '', total ?? '', margin ?? '')}</p>
    </div>
  );
}
