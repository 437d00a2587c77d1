/** The screens of service accounts, with their texts in one part that loads when one of them is shown. */
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { loadServiceTexts } from '../texts/late-texts.ts';

const load = async () => {
  await loadServiceTexts();
  return import('./services.tsx');
};
const Own = lazyPart('OwnServices', load);
const All = lazyPart('AllServices', load);
const Mark = lazyPart('ServiceMark', load);

export const OwnServices = () => (
  <Suspense fallback={null}>
    <Own />
  </Suspense>
);

export const AllServices = () => (
  <Suspense fallback={null}>
    <All />
  </Suspense>
);

export const ServiceMark = (props: ComponentProps<typeof Mark>) => (
  <Suspense fallback={null}>
    <Mark {...props} />
  </Suspense>
);
