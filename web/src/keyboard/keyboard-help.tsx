import { lazy, Suspense } from 'react';
import { loadChunk } from '../lib/chunk.ts';

const KeyboardSheet = lazy(async () => ({
  default: (await loadChunk('KeyboardSheet', () => import('./keyboard-sheet.tsx'))).KeyboardSheet,
}));

interface Props {
  readonly onClose: () => void;
}

export function KeyboardHelp({ onClose }: Props) {
  return (
    <Suspense fallback={null}>
      <KeyboardSheet onClose={onClose} />
    </Suspense>
  );
}
