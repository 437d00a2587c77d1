import { Suspense } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import type { WhoCanSeeProps } from './who-can-see-dialog.tsx';

const Dialog = lazyPart('WhoCanSeeDialog', () => import('./who-can-see-dialog.tsx'));

/** The dialog 'Who can see this', loaded when it is opened first. */
export function WhoCanSee(props: WhoCanSeeProps) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  );
}
