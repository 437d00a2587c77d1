import { isKnown } from './session/ask-at-once.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { createRouter } from './routes.tsx';
import './styles/base.css';

/** A server nearby has answered by then, and the first page drawn is the right one. Until then index.html says what that page would. */
const NEAR_MS = 100;

async function start(root: HTMLElement): Promise<void> {
  await Promise.race([isKnown, new Promise((resolve) => setTimeout(resolve, NEAR_MS))]);
  const app = (
    <StrictMode>
      <RouterProvider router={createRouter()} />
    </StrictMode>
  );
  // In pieces: drawing a whole page at once blocks a phone.
  startTransition(() => createRoot(root).render(app));
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void start(root);
