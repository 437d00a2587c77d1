import { FolderInput, Trash2 } from 'lucide-react';
import { BULK_TEXTS as TEXTS } from '../texts/entries/entries.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from './bulk-bar.module.css';

interface Props {
  readonly count: number;
  /** null if nothing can be written now. */
  readonly onMove: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly whyNot: string | null;
  readonly whyNotMove: string | null;
  readonly onClear: () => void;
}

/** Actions for the chosen entries. */
export function BulkBar({ count, onMove, onRemove, whyNot, whyNotMove, onClear }: Props) {
  const off = count === 0;
  return (
    <div className={styles['bar']} role="group" aria-label={TEXTS.bar} data-chosen={!off || undefined}>
      <span className={styles['count']} role="status">
        {TEXTS.selected(count)}
      </span>
      <button type="button" className={styles['clear']} onClick={onClear}>
        {TEXTS.clear}
      </button>
      <Button
        size="sm"
        icon={<FolderInput size={16} />}
        isDisabled={off || onMove === null}
        whyNot={whyNotMove}
        onPress={() => onMove?.()}
      >
        {TEXTS.move}
      </Button>
      <Button
        size="sm"
        variant="danger-quiet"
        icon={<Trash2 size={16} />}
        isDisabled={off || onRemove === null}
        whyNot={whyNot}
        onPress={() => onRemove?.()}
      >
        {TEXTS.remove}
      </Button>
    </div>
  );
}
