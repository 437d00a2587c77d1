/** 'Sign in with a passkey' on the sign-in page. Loaded when the button there is pressed first. */
import { useEffect, useRef, useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { LinkOffer } from '@passwordbroker/client/session/link-offer';
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

interface Props {
  /** Signs in to link the identity of this ticket. */
  readonly link?: {
    readonly ticket: string;
    readonly onSignedIn: (offer: LinkOffer | null) => void;
    /** The ticket has expired. */
    readonly onRefused: (lines: readonly string[]) => void;
  };
}

/** Returns why it failed; null: signed in. */
async function signIn(link: Props['link']): Promise<string | null> {
  try {
    const question = await passkeyQuestion(means);
    const assertion = await answerWithPasskey(question.options);
    const offer = await signInWithPasskey(means, question, assertion, link?.ticket);
    link?.onSignedIn(offer);
    return null;
  } catch (failure) {
    const code = failure instanceof AppError ? failure.code : null;
    if (code === 'ticket_invalid') link?.onRefused([reasonOf(failure)]);
    return code === 'not_found' ? TEXTS.siteOff : reasonOf(failure);
  }
}

/** Asks for the passkey as soon as it is shown, and again when pressed. */
export function PasskeySignIn({ link }: Props) {
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
    void signIn(link).then(end);
  };
  const begin = useRef(again);
  useEffect(() => {
    // The pressed button has disappeared.
    button.current?.focus();
    begin.current();
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
