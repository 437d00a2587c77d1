import { isKnown } from './session/ask-at-once.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { fetchPage } from './frame/page-code.ts';
import { FRAME } from './identity/vault-ahead.ts';
import { nextTurn } from './lib/next-turn.ts';
import { session } from './session/session.ts';
import './styles/base.css';

/** A server near by has answered until then, and the right page is the first that is drawn; later a person would miss a sign of life. */
const NEAR_MS = 100;
/** So long the code of a page is waited for before anything is drawn. */
const CODE_MS = 1000;

const within = (ms: number, done: Promise<unknown>) =>
  Promise.race([done, new Promise((resolve) => setTimeout(resolve, ms))]);

/** index.html says meanwhile what the first page would. */
async function start(root: HTMLElement): Promise<void> {
  await within(NEAR_MS, isKnown);
  if (session.view().user !== null) {
    // Once something is shown in place of a page that is on its way, React goes on showing it for 300 ms, also when the page comes at once.
    await within(CODE_MS, Promise.all([FRAME.load().catch(() => undefined), fetchPage(location.pathname)]));
    await nextTurn();
  }
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  // In pieces: all of a page at once keeps a phone busy.
  startTransition(() => createRoot(root).render(app));
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void start(root);
