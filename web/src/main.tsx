import { isKnown } from './session/ask-at-once.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { fetchFrame } from './identity/vault-ahead.ts';
import { nextTurn } from './lib/next-turn.ts';
import { session } from './session/session.ts';
import './styles/base.css';

/** A server near by has answered until then, and the right page is the first that is drawn; later a person would miss a sign of life. */
const NEAR_MS = 100;

async function start(root: HTMLElement): Promise<void> {
  // index.html says meanwhile what the first page would.
  await Promise.race([isKnown, new Promise((resolve) => setTimeout(resolve, NEAR_MS))]);
  if (session.view().user !== null) {
    // On its way before the first page is drawn, which has nothing to show but what comes with it.
    fetchFrame().catch(() => undefined);
    await nextTurn();
  }
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void start(root);
