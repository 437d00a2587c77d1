/** 'Sign in with a passkey' on the sign-in page. Loaded when the button there is pressed first. */
import { useEffect, useRef, useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { passkeyQuestion, signInWithPasskey } from '@passwordbroker/client/session/passkey-sign-in';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { http, session } from '../page/page.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { PASSKEY_TEXTS } from '../texts/identity/passkeys.ts';
import { answerWithPasskey } from './webauthn.ts';

const TEXTS = PASSKEY_TEXTS.signIn;
const means = { http, session };

/** Returns why it failed; null: signed in. */
async function signIn(): Promise<string | null> {
  try {
    const question = await passkeyQuestion(means);
    await signInWithPasskey(means, question, await answerWithPasskey(question.options));
    return null;
  } catch (failure) {
    return failure instanceof AppError && failure.code === 'not_found' ? TEXTS.siteOff : reasonOf(failure);
  }
}

/** Asks for the passkey as soon as it is shown, and again when pressed. */
export function PasskeySignIn() {
  const button = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(true);

  const end = (refused: string | null) => {
    setProblem(refused);
    setBusy(refused === null);
  };
  const again = () => {
    setBusy(true);
    setProblem(null);
    void signIn().then(end);
  };
  useEffect(() => {
    // The pressed button has disappeared.
    button.current?.focus();
    void signIn().then(end);
  }, []);
  return (
    <>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <Button ref={button} size="lg" busy={isBusy} busyLabel={TEXTS.waiting} onPress={again}>
        {IDENTITY_TEXTS.passkey}
      </Button>
    </>
  );
}
