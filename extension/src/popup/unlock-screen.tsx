import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import type { Status } from '../keeper/session.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { background, keeper } from './parts.ts';
import styles from './popup.module.css';

interface Props {
  readonly status: Status;
  /** Why it is shown. */
  readonly told: string | null;
  readonly onStatus: (status: Status) => void;
}

export function UnlockScreen({ status, told, onStatus }: Props) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState<readonly string[] | null>(null);
  const hasPasskey = useHasPasskey();
  const unlock = async () => {
    const toCompare = await keeper('unlock', { masterPassword: typed });
    setTyped('');
    if (toCompare === null) onStatus(await keeper('status'));
    else setWords(toCompare);
  };
  const openPasskeyPage = async () => {
    await background('openUnlock');
    window.close();
  };
  const show = async () => onStatus(await keeper('status'));
  const locked = async () => {
    await show();
    setWords(null);
  };
  if (words !== null) return <WordsScreen words={words} onSame={show} onLocked={locked} />;
  return (
    <FormScreen
      title={TEXTS.locked}
      text={status.person?.email ?? ''}
      verb={TEXTS.unlock}
      onSubmit={unlock}
      more={
        <>
          {hasPasskey && (
            <Button isBlock onPress={() => void openPasskeyPage()}>
              {TEXTS.usePasskey}
            </Button>
          )}
          <Button variant="ghost" isBlock onPress={() => void keeper('logOut').then(onStatus)}>
            {TEXTS.logOut}
          </Button>
        </>
      }
    >
      {told !== null && <MessageBox tone="danger" lines={[told]} />}
      <PasswordField label={TEXTS.masterPassword} value={typed} onChange={setTyped} autoFocus isRequired />
    </FormScreen>
  );
}

/** Whether a passkey of the server's host opens the vault, and the browser has passkeys. */
function useHasPasskey(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (!('PublicKeyCredential' in globalThis)) return;
    keeper('unlockPasskeys').then(
      ({ passkeys }) => setHas(passkeys.length > 0),
      () => undefined,
    );
  }, []);
  return has;
}

interface WordsProps {
  readonly words: readonly string[];
  readonly onSame: () => Promise<void>;
  readonly onLocked: () => Promise<void>;
}

/** After the first unlock the person compares the words of their own key. */
export function WordsScreen({ words, onSame, onLocked }: WordsProps) {
  const lock = async () => {
    await keeper('lock');
    await onLocked();
  };
  return (
    <FormScreen
      key="words"
      title={TEXTS.words}
      text={TEXTS.wordsText}
      verb={TEXTS.wordsSame}
      onSubmit={async () => {
        await keeper('wordsSeen');
        await onSame();
      }}
      more={
        <Button variant="ghost" isBlock onPress={() => void lock()}>
          {TEXTS.lock}
        </Button>
      }
    >
      <ol className={styles['words']}>
        {words.map((word, at) => (
          <li key={`${at}-${word}`}>{word}</li>
        ))}
      </ol>
    </FormScreen>
  );
}
