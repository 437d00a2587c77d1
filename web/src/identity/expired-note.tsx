/** On the sign-in page: says that a local copy has expired. Checked only where this browser may have one. */
import { lazy, Suspense } from 'react';
import { loadChunk } from '../lib/chunk.ts';
import { isWordKept } from '../offline/has-copies.ts';
import { servers } from '../page/page.ts';

const ExpiredCopies = lazy(async () => {
  const { ExpiredCopies: shown } = await loadChunk('expired-copies', () => import('../offline/expired-copies.tsx'));
  return { default: shown };
});

export function ExpiredNote() {
  if (!isWordKept()) return null;
  return (
    <Suspense fallback={null}>
      <ExpiredCopies server={servers.chosen()} />
    </Suspense>
  );
}
