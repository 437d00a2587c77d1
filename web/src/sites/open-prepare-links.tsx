import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { loadSiteTexts } from '../texts/late-texts.ts';

const Loaded = lazyPart('PrepareLinks', async () => {
  await loadSiteTexts();
  return import('./prepare-links.tsx');
});

/** Its code loads with the settings of a group. */
export const PrepareLinks = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
