/**
 * `/account`: name, account password, theme, lock, trust record, server crypto, storage, sessions
 * and tokens of the person (docs/spec/decisions.md I6).
 */
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ACCOUNT_TEXTS as TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';
import { AppearanceSection } from './appearance-section.tsx';
import { LockSection } from './lock-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { ServerCryptoSection } from './server-crypto-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { TrustSection } from './trust-section.tsx';

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
