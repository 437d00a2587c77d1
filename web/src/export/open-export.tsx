import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { loadExchangeTexts } from '../texts/late-texts.ts';

const Loaded = lazyPart('ExportDialog', async () => {
  await loadExchangeTexts();
  return import('./export-dialog.tsx');
});

/** Its code loads with the first export. */
export const ExportDialog = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
