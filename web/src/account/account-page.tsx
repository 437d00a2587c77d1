/** `/account` (docs/spec/decisions.md I6). */
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { ACCOUNT_TEXTS as TEXTS } from '../texts/identity/account.ts';
import styles from './account.module.css';
import { PasswordSection, ServerCryptoSection } from './password-sections.tsx';
import { SessionsSection, TokensSection } from './credential-sections.tsx';
import { TrustSection } from './trust-section.tsx';
import { get, update } from '@passwordbroker/core/contract/users/people';
import { limits } from '@passwordbroker/core/contract/site/site';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { useQuery } from '@tanstack/react-query';
import { ExportDialog } from '../export/open-export.tsx';
import { useVault, useWhyNot } from '../vault/use-vault.ts';
import { useSession } from '../session/use-session.ts';
import { Section } from './section.tsx';
import { http, session } from '../page/page.ts';
import { type FormEvent, Suspense, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AppearanceSection, LanguageSection, LockSection } from './browser-sections.tsx';
import { FactorsSection } from '../factors/factors-section.tsx';
import { SignInPasskeysSection, UnlockPasskeysSection } from '../passkeys/passkeys-section.tsx';
import { OwnServices } from '../service-accounts/open-services.tsx';
import { LinksSection } from '../sso/links-section.tsx';
import { RecoveryKitSection } from '../recovery-kit/recovery-section.tsx';
import { NoticesSection } from './notices-section.tsx';
import { lazyPart } from '../lib/chunk.ts';
import { dateFormat } from '../lib/format.ts';
import { loadProgramTexts } from '../texts/late-texts.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { tellDone } from '../activity-log/activity-log.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';

const MIB = 1024 * 1024;

export function AccountPage() {
  usePageTitle(TEXTS.page);
  // The dates of all sections follow a new choice.
  useSyncExternalStore(dateFormat.onChange, dateFormat.get);
  return (
    <div className={styles['page']}>
      <h1 className={styles['heading']}>{TEXTS.page}</h1>
      <ProfileSection />
      <PasswordSection />
      <FactorsSection />
      <LinksSection />
      <SignInPasskeysSection />
      <UnlockPasskeysSection />
      <RecoveryKitSection />
      <AppearanceSection />
      <LanguageSection />
      <LockSection />
      <NoticesSection />
      <TrustSection />
      <ServerCryptoSection />
      <StorageSection />
      <ExportSection />
      <SessionsSection />
      <TokensSection />
      <OwnServices />
      <AskingProgram />
    </div>
  );
}

const ProgramDialog = lazyPart('ProgramDialog', async () => {
  await loadProgramTexts();
  return import('./program-dialog.tsx');
});

/** A program shows the address of this page with what it asks behind the #. */
function AskingProgram() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  if (!hash.startsWith('#program=')) return null;
  return (
    <Suspense fallback={null}>
      <ProgramDialog hash={hash} onClose={() => void navigate('/account', { replace: true })} />
    </Suspense>
  );
}

function StorageSection() {
  const { user } = useSession();
  const { data, error } = useOwnStorage(user?.user_id ?? '');
  const text = () => {
    if (data === undefined) return error === null ? TEXTS.loading : TEXTS.storage.failed;
    const stored = formatFileSize(data.stored);
    return data.quota > 0 ? TEXTS.storage.storedOf(stored, formatFileSize(data.quota)) : TEXTS.storage.stored(stored);
  };
  return (
    <Section title={TEXTS.storage.title} hint={TEXTS.storage.hint}>
      <p role="status">{text()}</p>
    </Section>
  );
}

function ExportSection() {
  const { write } = useVault();
  const whyNot = useWhyNot();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={TEXTS.export.title} hint={TEXTS.export.hint}>
      <Button variant="secondary" whyNot={whyNot} onPress={() => setOpen(true)}>
        {TEXTS.export.start}
      </Button>
      {isOpen && write !== null && (
        <ExportDialog what={{ kind: 'everything' }} write={write} onClose={() => setOpen(false)} />
      )}
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
