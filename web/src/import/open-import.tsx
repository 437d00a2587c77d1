import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { loadExchangeTexts } from '../texts/late-texts.ts';

const Loaded = lazyPart('ImportDialog', async () => {
  await loadExchangeTexts();
  return import('./import-dialog.tsx');
});

/** Its code loads with the first import. */
export const ImportDialog = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
