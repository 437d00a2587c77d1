/** The error screen of the whole page (specification §8): what went wrong in words, and the way out. */
import { Component, type ReactNode } from 'react';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { Button } from '../ui/button.tsx';
import styles from './error-screen.module.css';

/** A part of the page that did not arrive: the server was updated, or the connection broke. */
const CHUNK_FAILURE = /dynamically imported module|Importing a module|Unable to preload/i;

function wordsOf(error: unknown): string {
  if (error instanceof Error) return CHUNK_FAILURE.test(error.message) ? TEXTS.chunkFailed : error.message;
  return String(error);
}

function ErrorScreen({ text }: { readonly text: string }) {
  return (
    <main className={styles['screen']}>
      <h1>{TEXTS.unexpected}</h1>
      <p>{text}</p>
      <Button variant="primary" onPress={() => location.assign('/')}>
        {TEXTS.reload}
      </Button>
    </main>
  );
}

export const NoSuchPage = () => <ErrorScreen text={TEXTS.notFound} />;

interface Caught {
  readonly error: unknown;
  readonly isBroken: boolean;
}

/** Shows the error screen in place of whatever threw while it was drawn. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: null, isBroken: false };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error, isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <ErrorScreen text={wordsOf(this.state.error)} /> : this.props.children;
  }
}
