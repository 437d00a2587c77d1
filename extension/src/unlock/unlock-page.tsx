/** Unlocks with a passkey, in a tab: the browser closes the popup as soon as its own dialog has the focus. */
import { createRoot } from 'react-dom/client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { askPrf, PasskeyRefusal } from '@passwordbroker/client/browser/webauthn';
import { type PasskeyAnswer, wipeAnswer } from '@passwordbroker/client/keyring/passkey-answer';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { api } from '../browser-api.ts';
import { keeper } from '../popup/parts.ts';
import { WordsScreen } from '../popup/unlock-screen.tsx';
import { useAction } from '../popup/use-action.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import popup from '../popup/popup.module.css';
import styles from './unlock.module.css';

export function showUnlock(): void {
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<Unlock />);
}

async function closePage(): Promise<void> {
  const tab = await api.tabs.getCurrent();
  if (tab?.id !== undefined) await api.tabs.remove(tab.id);
}

/** The output is overwritten here and in the page that holds the worker. @returns the words to compare, if any */
async function unlockWith(answer: PasskeyAnswer): Promise<readonly string[] | null> {
  const prf = [...new Uint8Array(answer.prf)];
  wipeAnswer(answer);
  try {
    return await keeper('unlockWithPasskey', { credentialId: answer.credentialId, prf });
  } finally {
    prf.fill(0);
  }
}

function Unlock() {
  const [about, setAbout] = useState<{ readonly host: string; readonly email: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [words, setWords] = useState<readonly string[] | null>(null);
  const [running, run] = useAction<'ask'>((failure) => setProblem(reasonOf(failure)));

  const ask = () =>
    run('ask', async () => {
      setProblem(null);
      const { state } = await keeper('status');
      if (state === 'open') return closePage();
      if (state !== 'locked') return setProblem(state === 'unreachable' ? TEXTS.unreachable : TEXTS.passkeySignedOut);
      const { host, email, passkeys } = await keeper('unlockPasskeys');
      setAbout({ host, email });
      let toCompare: readonly string[] | null;
      try {
        toCompare = await unlockWith(await askPrf(passkeys, host));
      } catch (failure) {
        if (!(failure instanceof PasskeyRefusal)) throw failure;
        return setProblem(sentenceOf(failure, host));
      }
      return toCompare === null ? closePage() : setWords(toCompare);
    });
  // Asks as soon as the page is shown, and again when the button is pressed.
  const begin = useRef(ask);
  useEffect(() => begin.current(), []);

  if (words !== null)
    return (
      <div className={styles['tab']}>
        <WordsScreen words={words} onSame={closePage} onLocked={closePage} />
      </div>
    );
  return (
    <div className={styles['tab']}>
      <main className={popup['page']}>
        <h1 className={popup['title']}>{TEXTS.passkeyTitle}</h1>
        <p className={popup['text']}>{about?.email ?? ''}</p>
        <p className={popup['text']}>{TEXTS.passkeyText}</p>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <Button
          variant="primary"
          isBlock
          autoFocus
          busy={running === 'ask'}
          busyLabel={TEXTS.passkeyWaiting}
          onPress={ask}
        >
          {TEXTS.usePasskey}
        </Button>
      </main>
    </div>
  );
}

function sentenceOf({ code }: PasskeyRefusal, host: string): string {
  switch (code) {
    case 'noneHere':
      return TEXTS.passkeyNone(host);
    case 'noneUsed':
      return TEXTS.passkeyUnused;
    case 'noOutput':
      return TEXTS.passkeyNoSecret;
    case 'browserOff':
      return TEXTS.passkeyOff(host);
    case 'alreadyAdded':
    case 'failedHere':
      return TEXTS.passkeyFailed;
  }
}
