/** `/account`: settings of the signed-in person (docs/spec/decisions.md I6). */
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ACCOUNT_TEXTS as TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';
import { AppearanceSection, LockSection } from './browser-sections.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { ServerCryptoSection } from './server-crypto-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { TrustSection } from './trust-section.tsx';
import { get } from '@passwordbroker/core/contract/users/people';
import { limits } from '@passwordbroker/core/contract/site/site';
import { formatStorageSize } from '@passwordbroker/core/domain/fields/file-size';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/use-session.ts';
import { Section } from './section.tsx';
import { http } from '../page/page.ts';

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
    const stored = formatStorageSize(data.stored);
    return data.quota > 0
      ? TEXTS.storage.storedOf(stored, formatStorageSize(data.quota))
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
