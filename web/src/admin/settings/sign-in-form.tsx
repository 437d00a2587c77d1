/** Sets for whom a second factor is required, and how long browsers are remembered. */
import { changeSignIn, SECOND_FACTOR_POLICIES, type SignInSettings } from '@passwordbroker/core/contract/site/site';
import { Select } from '@passwordbroker/ui/inputs/select';
import { http, session } from '../../page/page.ts';
import { ADMIN_SETTINGS_TEXTS } from '../../texts/admin/settings.ts';
import { ADMIN_SIGN_IN_TEXTS as TEXTS } from '../../texts/admin/sign-in.ts';
import styles from '../admin.module.css';
import { Failed } from '../list-parts.tsx';
import { NumberField, SettingsCard, useSettingsForm } from './settings-card.tsx';
import { useSignInSettings } from './use-settings.ts';

const POLICIES = SECOND_FACTOR_POLICIES.map((value) => ({ value, title: TEXTS.choices[value] }));

export function SignInForm() {
  const { data, error, refetch, keep } = useSignInSettings();
  if (error !== null)
    return <Failed text={ADMIN_SETTINGS_TEXTS.failed} failure={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <LoadedForm
      settings={data}
      onSaved={(saved) => {
        keep(saved);
        // A policy may concern the admin, too.
        void session.refresh().catch(() => undefined);
      }}
    />
  );
}

interface Props {
  readonly settings: SignInSettings;
  readonly onSaved: (settings: SignInSettings) => void;
}

function LoadedForm({ settings, onSaved }: Props) {
  const form = useSettingsForm<SignInSettings>(settings, (body) => http.call(changeSignIn, { body }), onSaved);
  const { values, set } = form;
  const isRequired = values.second_factor === 'admins' || values.second_factor === 'all';
  const without = settings.without_factor === undefined ? [] : [TEXTS.without(settings.without_factor)];
  return (
    <SettingsCard title={TEXTS.title} updatedAt={settings.updated_at} form={form}>
      <div className={styles['two']}>
        <Select
          label={TEXTS.secondFactor}
          hint={[TEXTS.secondFactorHint, ...without].join(' ')}
          value={values.second_factor}
          onChange={(value) =>
            set({ second_factor: SECOND_FACTOR_POLICIES.find((policy) => policy === value) ?? 'optional' })
          }
          options={POLICIES}
        />
        {isRequired && (
          <NumberField
            label={TEXTS.graceDays}
            hint={TEXTS.graceHint}
            least={0}
            value={values.second_factor_grace_days}
            onChange={(days) => set({ second_factor_grace_days: days })}
          />
        )}
        <NumberField
          label={TEXTS.rememberDays}
          hint={TEXTS.rememberHint}
          least={0}
          value={values.remember_days}
          onChange={(days) => set({ remember_days: days })}
        />
      </div>
    </SettingsCard>
  );
}
