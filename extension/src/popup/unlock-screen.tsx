import { useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import type { Status } from '../keeper/session.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';
import styles from './popup.module.css';

interface Props {
  readonly status: Status;
  readonly onStatus: (status: Status) => void;
}

/** After the first unlock the person compares the words of their own key. */
export function UnlockScreen({ status, onStatus }: Props) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState<readonly string[] | null>(null);
  const unlock = async () => {
    const toCompare = await keeper('unlock', { masterPassword: typed });
    setTyped('');
    if (toCompare === null) onStatus(await keeper('status'));
    else setWords(toCompare);
  };
  const lock = async () => {
    onStatus(await keeper('lock'));
    setWords(null);
  };
  if (words !== null)
    return (
      <FormScreen
        key="words"
        title={TEXTS.words}
        text={TEXTS.wordsText}
        verb={TEXTS.wordsSame}
        onSubmit={async () => {
          await keeper('wordsSeen');
          onStatus(await keeper('status'));
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
  return (
    <FormScreen
      title={TEXTS.locked}
      text={status.person?.email ?? ''}
      verb={TEXTS.unlock}
      onSubmit={unlock}
      more={
        <Button variant="ghost" isBlock onPress={() => void keeper('logOut').then(onStatus)}>
          {TEXTS.logOut}
        </Button>
      }
    >
      <PasswordField label={TEXTS.masterPassword} value={typed} onChange={setTyped} autoFocus isRequired />
    </FormScreen>
  );
}
