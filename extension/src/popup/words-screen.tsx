import { Button } from '@passwordbroker/ui/actions/button';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';
import styles from './popup.module.css';

interface Props {
  readonly words: readonly string[];
  readonly onSame: () => Promise<void>;
  readonly onLocked: () => Promise<void>;
}

/** After the first unlock the person compares the words of their own key. */
export function WordsScreen({ words, onSame, onLocked }: Props) {
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
