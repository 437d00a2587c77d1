/** The ways to sign in on a site with identity providers: a button for each, then password and passkey. */
import { type ReactNode, useState } from 'react';
import type { SessionView } from '@passwordbroker/client/session/session';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from '../identity/identity-frame.module.css';
import { pendingNavigation } from '../session/guard.tsx';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import own from './sso.module.css';

interface Props {
  readonly ways: NonNullable<SessionView['ways']>;
  /** The page to open after the sign-in. */
  readonly to: string;
  /** The form with the account password was used before. */
  readonly hasTyped: boolean;
  readonly passkey: ReactNode;
  /** The form with the account password. */
  readonly children: ReactNode;
}

export function SignInWays({ ways, to, hasTyped, passkey, children }: Props) {
  const [isForm, setForm] = useState(hasTyped);
  if (isForm) {
    return (
      <>
        {children}
        <div className={own['below']}>
          <Button variant="ghost" onPress={() => setForm(false)}>
            {TEXTS.otherWays}
          </Button>
        </div>
      </>
    );
  }
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{IDENTITY_TEXTS.logIn}</h1>
      </div>
      <ProviderButtons providers={ways.providers} purpose="login" isFirst onLeave={() => pendingNavigation.keep(to)} />
      {ways.password && (
        <>
          {passkey}
          <Button size="lg" onPress={() => setForm(true)}>
            {TEXTS.withPassword}
          </Button>
        </>
      )}
      <p className={styles['alternative']}>{TEXTS.opensNothing}</p>
    </div>
  );
}
