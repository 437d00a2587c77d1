import { isKnown } from './page/ask-at-once.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { catalogue } from '@passwordbroker/core/texts';
import { setUiTexts, UI_TEXTS } from '@passwordbroker/ui/texts';
import { createRouter } from './routes.tsx';
import '@passwordbroker/ui/styles/base.css';
import './styles/product-tokens.css';

/** Wait for the session status, so that the first page is the right one. */
const NEAR_MS = 100;

async function start(root: HTMLElement): Promise<void> {
  await Promise.race([isKnown, new Promise((resolve) => setTimeout(resolve, NEAR_MS))]);
  setUiTexts(catalogue('ui', UI_TEXTS));
  const app = (
    <StrictMode>
      <RouterProvider router={createRouter()} />
    </StrictMode>
  );
  // Rendering a whole page without interruption blocks a phone.
  startTransition(() => createRoot(root).render(app));
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void start(root);
