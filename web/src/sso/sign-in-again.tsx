/** Asks a person whose account password does not confirm: by a passkey, or at the identity provider. */
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { ConfirmWays } from '@passwordbroker/core/contract/account/credentials';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Dialog, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import styles from '../factors/factors.module.css';
import { freshSignIn } from '../page/vault.ts';
import { mayUsePasskeys, PasskeyButton } from '../passkeys/use-passkey.tsx';
import { confirmWithPasskey } from '../session/confirm-with-passkey.ts';
import { pendingNavigation } from '../session/guard.tsx';
import { SSO_TEXTS } from '../texts/identity/sso.ts';
import { ProviderButtons } from './provider-buttons.tsx';

const TEXTS = SSO_TEXTS.confirm;

export function SignInAgain({ ways }: { readonly ways: ConfirmWays['ways'] }) {
  const { pathname, search, hash } = useLocation();
  const [first] = useFirstFocus();
  const [problem, setProblem] = useState<string | null>(null);
  const [isAtPasskey, setAtPasskey] = useState(false);
  const providers = ways.flatMap((way) => ('provider_id' in way ? [way] : []));
  const hasPasskey = mayUsePasskeys() && ways.some((way) => 'passkey' in way);

  const confirmByPasskey = async () => {
    if (isAtPasskey) return;
    setAtPasskey(true);
    setProblem(null);
    try {
      await confirmWithPasskey();
      freshSignIn.confirmed();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setAtPasskey(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.subtitle}
      onClose={freshSignIn.cancel}
      isBusy={isAtPasskey}
      footer={
        <Button isDisabled={isAtPasskey} onPress={freshSignIn.cancel}>
          {TEXTS.cancel}
        </Button>
      }
    >
      <div className={styles['stack']}>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        {hasPasskey && <PasskeyButton ref={first} isBusy={isAtPasskey} onPress={() => void confirmByPasskey()} />}
        {providers.length > 0 && <p>{TEXTS.text}</p>}
        {providers.length + Number(hasPasskey) === 0 && <p>{TEXTS.none}</p>}
        <ProviderButtons
          providers={providers}
          purpose="confirm"
          isFirst={!hasPasskey}
          {...(hasPasskey ? {} : { firstRef: first })}
          onLeave={() => {
            // A page of the set-up keeps the page wanted first.
            if (!pathname.startsWith('/identity/')) pendingNavigation.keep(`${pathname}${search}${hash}`);
          }}
        />
      </div>
    </Dialog>
  );
}
