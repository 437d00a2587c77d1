/** The router's error screen (specification §8): what went wrong in words, and the way out. */
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { Button } from '../ui/button.tsx';
import styles from './error-screen.module.css';

function wordsOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return error.status === 404 ? TEXTS.notFound : `${error.status} ${error.statusText}`;
  if (error instanceof Error && /dynamically imported module|Importing a module/i.test(error.message))
    return TEXTS.chunkFailed;
  return error instanceof Error ? error.message : String(error);
}

export function ErrorScreen() {
  const error = useRouteError();
  return (
    <main className={styles['screen']}>
      <h1>{TEXTS.unexpected}</h1>
      <p>{wordsOf(error)}</p>
      <Button variant="primary" onPress={() => location.assign('/')}>
        {TEXTS.reload}
      </Button>
    </main>
  );
}
