import { changeLimits, type SiteLimits } from '@passwordbroker/core/contract/site/site';
import { formatStorageSize } from '@passwordbroker/core/domain/fields/file-size';
import { ADMIN_SETTINGS_TEXTS as TEXTS } from '../../texts/admin/settings.ts';
import styles from '../admin.module.css';
import { Failed, Waiting } from '../list-state.tsx';
import { NumberField } from './number-field.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { useStorage } from './use-settings.ts';
import { http } from '../../page/page.ts';

const MIB = 1024 * 1024;

interface Props {
  readonly limits: SiteLimits;
  readonly onSaved: (limits: SiteLimits) => void;
}

export function StorageForm({ limits, onSaved }: Props) {
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

const hintOf = (mib: number) => (mib > 0 ? formatStorageSize(mib * MIB) : TEXTS.anyAmount);

function StorageUse({ siteQuota }: { readonly siteQuota: number }) {
  const { data, error, isFetching, refetch } = useStorage();
  if (error !== null && !isFetching) {
    return <Failed text={TEXTS.storageFailed} failure={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Waiting text={TEXTS.storageLoading} />;
  const { total_bytes, free_bytes, margin_bytes } = data.disk;
  const [stored, total, free, margin] = [data.stored_bytes, total_bytes, free_bytes, margin_bytes].map(
    formatStorageSize,
  );
  return (
    <div>
      <p>{siteQuota > 0 ? TEXTS.storedOf(stored ?? '', formatStorageSize(siteQuota)) : TEXTS.stored(stored ?? '')}</p>
      <p>{TEXTS.disk(free ?? '', total ?? '', margin ?? '')}</p>
    </div>
  );
}
