/** `/account` (docs/spec/decisions.md I6). */
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ACCOUNT_TEXTS as TEXTS, ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';
import { PasswordSection, ServerCryptoSection } from './password-sections.tsx';
import { SessionsSection, TokensSection } from './credential-sections.tsx';
import { TrustSection } from './trust-section.tsx';
import { get, update } from '@passwordbroker/core/contract/users/people';
import { limits } from '@passwordbroker/core/contract/site/site';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/use-session.ts';
import { Section } from './section.tsx';
import { http, session } from '../page/page.ts';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { tellDone } from '../activity-log/activity-log.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { REMASK_SECONDS, remaskAfter } from '../fields/value/use-secret.ts';
import { useLockAfter } from '../master-password/use-master-password.ts';
import { Select } from '@passwordbroker/ui/inputs/select';
import { lockAfter } from '../page/vault.ts';
import { chooseTheme, useThemeChoice } from '../app/theme/theme.tsx';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';

const MIB = 1024 * 1024;

export function AccountPage() {
  usePageTitle(TEXTS.page);
  return (
    <div className={styles['page']}>
      <h1 className={styles['heading']}>{TEXTS.page}</h1>
      <ProfileSection />
      <PasswordSection />
      <AppearanceSection />
      <LockSection />
      <TrustSection />
      <ServerCryptoSection />
      <StorageSection />
      <SessionsSection />
      <TokensSection />
    </div>
  );
}

function StorageSection() {
  const { user } = useSession();
  const { data, error } = useOwnStorage(user?.user_id ?? '');
  const text = () => {
    if (data === undefined) return error === null ? TEXTS.loading : TEXTS.storage.failed;
    const stored = formatFileSize(data.stored);
    return data.quota > 0
      ? TEXTS.storage.storedOf(stored, formatFileSize(data.quota))
      : TEXTS.storage.stored(stored);
  };
  return (
    <Section title={TEXTS.storage.title} hint={TEXTS.storage.hint}>
      <p role="status">{text()}</p>
    </Section>
  );
}

function useOwnStorage(userId: string) {
  return useQuery({
    queryKey: ['account', 'storage', userId],
    queryFn: async ({ signal }) => {
      const [user, site] = await Promise.all([
        http.call(get, { params: { id: userId }, signal }),
        http.call(limits, { signal }),
      ]);
      return { stored: user.storage_bytes ?? 0, quota: site.person_quota_mib * MIB };
    },
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

const PROFILE_TEXTS = TEXTS.profile;

export function ProfileSection() {
  const { user } = useSession();
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  if (user === null) return null;
  const isChanged = name !== user.name || email !== user.email;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !isChanged) return;
    setBusy(true);
    setProblems([]);
    try {
      const changed = await http.call(update, { params: { id: user.user_id }, body: { name, email } });
      session.know(changed);
      setName(changed.name);
      setEmail(changed.email);
      tellDone(PROFILE_TEXTS.saved);
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [PROFILE_TEXTS.failed]);
    }
    setBusy(false);
  };
  return (
    <Section title={PROFILE_TEXTS.title}>
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextField label={PROFILE_TEXTS.name} value={name} onChange={setName} autoComplete="name" maxLength={100} />
        <TextField label={PROFILE_TEXTS.email} value={email} onChange={setEmail} type="email" autoComplete="email" />
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <div>
          <Button variant="primary" type="submit" isDisabled={!isChanged} busy={isBusy} busyLabel={TEXTS.saving}>
            {TEXTS.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

const LOCK_TEXTS = ACCOUNT_TEXTS.lock;
const CHOICES = [1, 2, 5, 10, 15, 30, LIMITS.lockMinutes];

export function LockSection() {
  const { minutes, most } = useLockAfter();
  const seconds = useSyncExternalStore(remaskAfter.onChange, remaskAfter.get);
  const [isKept, setKept] = useState(true);
  const offered = [...new Set([...CHOICES.filter((choice) => choice <= most), minutes])].sort((a, b) => a - b);
  const hint = [
    ...(isKept ? [] : [LOCK_TEXTS.notKept]),
    ...(most < LIMITS.lockMinutes ? [LOCK_TEXTS.most(most)] : []),
  ].join(' ');
  return (
    <Section title={LOCK_TEXTS.title} hint={LOCK_TEXTS.hint}>
      <div className={styles['form']}>
        <Select
          label={LOCK_TEXTS.after}
          {...(hint === '' ? {} : { hint })}
          value={String(minutes)}
          onChange={(value) => setKept(lockAfter.choose(Number(value)))}
          options={offered.map((choice) => ({ value: String(choice), title: LOCK_TEXTS.minutes(choice) }))}
        />
        <Select
          label={LOCK_TEXTS.remaskAfter}
          hint={LOCK_TEXTS.remaskHint}
          value={String(seconds)}
          onChange={(value) => setKept(remaskAfter.set(Number(value)))}
          options={REMASK_SECONDS.map((choice) => ({ value: String(choice), title: LOCK_TEXTS.seconds(choice) }))}
        />
      </div>
    </Section>
  );
}

const THEME_TEXTS = ACCOUNT_TEXTS.appearance;
const THEMES = (['dark', 'light', 'system'] as const).map((value) => ({ value, label: THEME_TEXTS.themes[value] }));

export function AppearanceSection() {
  const choice = useThemeChoice();
  const [isKept, setKept] = useState(true);
  return (
    <Section title={THEME_TEXTS.title} hint={isKept ? THEME_TEXTS.hint : LOCK_TEXTS.notKept}>
      <SegmentedRadio
        label={THEME_TEXTS.theme}
        value={choice}
        options={THEMES}
        onChange={(theme) => setKept(chooseTheme(theme))}
      />
    </Section>
  );
}
