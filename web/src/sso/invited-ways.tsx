/** An invitation on a site with identity providers: accepted there, or with a password chosen here. */
import { Button } from '@passwordbroker/ui/actions/button';
import styles from '../identity/identity-frame.module.css';
import type { Invited } from '../identity/sign-up/sign-up.tsx';
import { pendingNavigation } from '../session/guard.tsx';
import { INVITATION_TEXTS } from '../texts/identity/signed-out.ts';
import { SSO_TEXTS } from '../texts/identity/sso.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { takenInviter } from './taken-inviter.ts';

interface Props {
  readonly providers: readonly { readonly provider_id: string; readonly name: string }[];
  readonly invited: Invited;
  /** Null where the server takes no new account password. */
  readonly onPassword: (() => void) | null;
}

export function InvitedWays({ providers, invited, onPassword }: Props) {
  const { token, email, inviter } = invited;
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{INVITATION_TEXTS.acceptInvite}</h1>
        <p>{SSO_TEXTS.invite.text(email)}</p>
      </div>
      <ProviderButtons
        providers={providers}
        purpose="invite"
        inviteToken={token}
        isFirst
        onLeave={() => {
          pendingNavigation.forget();
          takenInviter.keep(email, inviter);
        }}
      />
      {onPassword !== null && (
        <Button size="lg" onPress={onPassword}>
          {SSO_TEXTS.invite.password}
        </Button>
      )}
      <p className={styles['alternative']}>{SSO_TEXTS.opensNothing}</p>
    </div>
  );
}
