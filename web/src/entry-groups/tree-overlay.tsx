/** 'loading...' over a skeleton, 'updating...' over the old tree (docs/spec/product.md §2). It shows late, so that quick calls do not flash. */
import { Spinner } from '../ui/spinner.tsx';
import { useLate } from './use-late.ts';
import styles from './side-panel.module.css';

interface Props {
  readonly text: 'loading...' | 'updating...' | null;
}

const LATE_MS = 150;

export function TreeOverlay({ text }: Props) {
  const isLate = useLate(text !== null, LATE_MS);
  return (
    <div role="status">
      {text !== null && isLate && (
        <div className={styles['overlay']} data-dims={text === 'updating...' || undefined}>
          <span className={styles['pill']}>
            <Spinner />
            {text}
          </span>
        </div>
      )}
    </div>
  );
}
