/** How far an import is. */
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { FileHint, FileName } from '../ui/file-name.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { ImportProgress } from '../vault/vault.ts';
import styles from './import-dialog.module.css';

interface Props {
  readonly fileName: string;
  readonly progress: ImportProgress | null;
  readonly isTakingBack: boolean;
}

export function ImportProgressView({ fileName, progress, isTakingBack }: Props) {
  const phase = progress?.phase ?? 'reading';
  const percent = progress === null || progress.total === 0 ? 0 : Math.floor((progress.done / progress.total) * 100);
  const isKnown = phase !== 'storing' && !isTakingBack;
  return (
    <div className={styles['running']}>
      <FileName>{fileName}</FileName>
      <ProgressBar label={isTakingBack ? TEXTS.cancelling : TEXTS.progress[phase]} value={isKnown ? percent : null} />
      <FileHint>{isTakingBack ? TEXTS.takingBack : sentence(phase, progress)}</FileHint>
    </div>
  );
}

function sentence(phase: ImportProgress['phase'], progress: ImportProgress | null): string {
  const { done, total } = progress ?? { done: 0, total: 0 };
  if (phase === 'storing') return TEXTS.storing;
  if (phase === 'sealing') return TEXTS.sealing(done, total);
  const phrase = phase === 'reading' ? TEXTS.reading : TEXTS.uploading;
  return phrase(formatFileSize(done), formatFileSize(total));
}
