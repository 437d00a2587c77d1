/** The screen of a session that may only link its account to an identity provider. */
import { useNavigate } from 'react-router';
import { Button } from '@passwordbroker/ui/actions/button';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IdentityFrame } from '../identity/identity-frame.tsx';
import styles from '../identity/identity-frame.module.css';
import { freshSignIn } from '../page/vault.ts';
import { ConfirmPasswordDialog } from '../session/confirm-password-dialog.tsx';
import { useSession } from '../session/use-session.ts';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';
import { Side } from './callback-page.tsx';
import { ProviderButtons } from './provider-buttons.tsx';

export function LinkFirst() {
  const { ways } = useSession();
  const navigate = useNavigate();
  usePageTitle(TEXTS.required.title);
  return (
    <IdentityFrame side={<Side />}>
      <div className={styles['stack']}>
        <div className={styles['heading']}>
          <h1>{TEXTS.required.title}</h1>
          <p>{TEXTS.required.text}</p>
        </div>
        <ProviderButtons
          providers={ways?.providers ?? []}
          purpose="link"
          isFirst
          around={(act) => freshSignIn.tryRun(act)}
        />
        <div className={styles['actions']}>
          <Button variant="ghost" onPress={() => void navigate('/identity/logout')}>
            {TEXTS.required.logOut}
          </Button>
        </div>
      </div>
      <ConfirmPasswordDialog />
    </IdentityFrame>
  );
}
