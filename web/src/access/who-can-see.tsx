import { lazy, type ComponentProps, Suspense } from 'react';
import { loadChunk } from '../lib/chunk.ts';

const Dialog = lazy(async () => ({
  default: (await loadChunk('WhoCanSeeDialog', () => import('./who-can-see-dialog.tsx'))).WhoCanSeeDialog,
}));

/** The dialog 'Who can see this', loaded when it is opened first. */
export function WhoCanSee(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  );
}
