/** The error screen of the whole page (docs/spec/product.md §8). */
import { useRouteError } from 'react-router';
import { ChunkLoadError } from '../../lib/chunk.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from './error-screen.module.css';

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

interface ErrorScreenProps {
  readonly text: string;
  readonly hint?: string | null;
  readonly action: string;
  readonly onAction: () => void;
}

function ErrorScreen({ text, hint = null, action, onAction }: ErrorScreenProps) {
  return (
    <main className={styles['screen']}>
      <h1>{TEXTS.unexpected}</h1>
      <p>{text}</p>
      {hint !== null && <p>{hint}</p>}
      <Button variant="primary" onPress={onAction}>
        {action}
      </Button>
    </main>
  );
}

const goHome = () => location.assign('/');

export const NoSuchPage = () => <ErrorScreen text={TEXTS.notFound} action={TEXTS.backToGroups} onAction={goHome} />;

/** Shown when a page throws while rendering or its code fails to load. */
export function ErrorPage() {
  const error = useRouteError();
  if (!(error instanceof ChunkLoadError)) {
    return <ErrorScreen text={wordsOf(error)} action={TEXTS.backToGroups} onAction={goHome} />;
  }
  const hint = TEXTS.chunkHints[error.type];
  return <ErrorScreen text={error.message} hint={hint} action={TEXTS.reload} onAction={() => location.reload()} />;
}
