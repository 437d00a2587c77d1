/** `/admin/providers/`: sign-in services, sign-in beside them, and break-glass accounts (docs/adr/0035-single-sign-on.md). */
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { useQueryClient } from '@tanstack/react-query';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_PROVIDERS_TEXTS as TEXTS } from '../../texts/admin/providers.ts';
import admin from '../admin.module.css';
import { Failed, Waiting } from '../list-parts.tsx';
import { useSignInSettings } from '../settings/use-settings.ts';
import { USERS_KEY } from '../users/use-users.ts';
import { BreakGlassCard, lacksOf } from './break-glass-card.tsx';
import { LocalSignInCard } from './local-sign-in-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import styles from './providers.module.css';
import { useBreakGlass, useOwnProvider, useProviders } from './use-providers.ts';

export function ProvidersPage() {
  usePageTitle(ADMIN_TEXTS.singleSignOn);
  const client = useQueryClient();
  const providers = useProviders();
  const signIn = useSignInSettings();
  const own = useOwnProvider();
  const breakGlass = useBreakGlass();
  const failure = providers.error ?? signIn.error;
  const retry = () => {
    void providers.refetch();
    void signIn.refetch();
  };
  const all = providers.data;
  const settings = signIn.data;
  const isUsed = all !== undefined && (all.length > 0 || settings?.local_sign_in !== 'allowed');
  return (
    <div className={admin['page']}>
      <header className={admin['head']}>
        <h1 className={admin['heading']}>{ADMIN_TEXTS.singleSignOn}</h1>
      </header>
      <div className={styles['intro']}>
        <p>{TEXTS.hint}</p>
        <p>{TEXTS.opensNothing}</p>
      </div>
      {failure !== null && <Failed text={TEXTS.failed} failure={failure} onRetry={retry} />}
      {failure === null && (all === undefined || settings === undefined) && <Waiting text={TEXTS.loading} />}
      {all?.length === 0 && <EmptyLine title={TEXTS.none} text={TEXTS.noneHint} />}
      {all?.map((provider) => (
        <ProviderCard
          key={provider.provider_id}
          provider={provider}
          onSaved={(saved) => {
            providers.keep(saved);
            // The people linked to a service that is on have changed.
            void signIn.refetch();
          }}
        />
      ))}
      {isUsed && settings !== undefined && (
        <>
          <LocalSignInCard
            settings={settings}
            isByProvider={all.some(({ provider_id, enabled }) => enabled && provider_id === own)}
            hasBreakGlass={breakGlass.data?.some((user) => lacksOf(user).length === 0) === true}
            onSaved={signIn.keep}
            onOutdated={() => void signIn.refetch()}
          />
          <BreakGlassCard
            onChanged={async () => {
              await client.invalidateQueries({ queryKey: USERS_KEY });
              await signIn.refetch();
            }}
          />
        </>
      )}
    </div>
  );
}
