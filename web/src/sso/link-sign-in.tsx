/** Signs in as before, to link an identity whose address an account has. */
import { type FormEvent, Suspense, useState } from 'react';
import type { LinkOffer } from '@passwordbroker/client/session/link-offer';
import { logInToLink } from '@passwordbroker/client/session/single-sign-on';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { AppError } from '@passwordbroker/core/contract/problem';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../identity/identity-frame.module.css';
import { lazyPart } from '../lib/chunk.ts';
import { http, session } from '../page/page.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';

const PasskeySignIn = lazyPart('PasskeySignIn', () => import('../passkeys/sign-in-button.tsx'));

interface Props {
  /** Why: a sentence of the server. */
  readonly text: string;
  readonly ticket: string;
  readonly onSignedIn: (offer: LinkOffer | null) => void;
  /** @param asked the refusal `second_factor_required` */
  readonly onFactor: (asked: AppError) => void;
  /** The ticket has expired. */
  readonly onRefused: (lines: readonly string[]) => void;
  readonly onNotNow: () => void;
}

/** The fields are as in `login.tsx`. A part for both would not fit into the 100 kB of the sign-in page. */
export function LinkSignIn({ text, ticket, onSignedIn, onFactor, onRefused, onNotNow }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [isByPasskey, setByPasskey] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const missing = [
      ...(email.trim() === '' ? [IDENTITY_TEXTS.emailMissing] : []),
      ...(password === '' ? [IDENTITY_TEXTS.passwordMissing] : []),
    ];
    setProblems(missing);
    if (missing.length > 0) return;
    setBusy(true);
    try {
      onSignedIn(await logInToLink({ http, session }, { email: email.trim(), password, ticket }));
    } catch (failure) {
      const code = failure instanceof AppError ? failure.code : null;
      if (code === 'second_factor_required') return onFactor(failure as AppError);
      if (code === 'ticket_invalid') return onRefused([reasonOf(failure)]);
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [reasonOf(failure)]);
      setBusy(false);
    }
  };
  const isMissing = (line: string) => problems.includes(line);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles['heading']}>
        <h1>{TEXTS.notLinked}</h1>
        <p>{text}</p>
      </div>
      <TextField
        label={IDENTITY_TEXTS.email}
        value={email}
        onChange={setEmail}
        type="email"
        name="email"
        size="lg"
        autoComplete="username"
        autoFocus
        isInvalid={isMissing(IDENTITY_TEXTS.emailMissing)}
      />
      <PasswordField
        label={IDENTITY_TEXTS.password}
        value={password}
        onChange={setPassword}
        name="password"
        size="lg"
        autoComplete="current-password"
        isInvalid={isMissing(IDENTITY_TEXTS.passwordMissing)}
      />
      {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
      <Button variant="primary" size="lg" type="submit" busy={isBusy} busyLabel={IDENTITY_TEXTS.loggingIn}>
        {TEXTS.signInToLink}
      </Button>
      {isByPasskey ? (
        <Suspense fallback={null}>
          <PasskeySignIn link={{ ticket, onSignedIn, onRefused }} />
        </Suspense>
      ) : (
        'PublicKeyCredential' in globalThis && (
          <Button size="lg" onPress={() => setByPasskey(true)}>
            {IDENTITY_TEXTS.passkey}
          </Button>
        )
      )}
      <Button variant="ghost" size="lg" onPress={onNotNow}>
        {TEXTS.notNow}
      </Button>
    </form>
  );
}
