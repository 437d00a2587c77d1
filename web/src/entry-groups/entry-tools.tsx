/** What admins and moderators may add. On a phone the entry's button floats within reach of the thumb (brief §10). */
import { FolderPlus, Plus } from 'lucide-react';
import { ENTRY_TEXTS } from '../texts/entries.ts';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './group-page.module.css';

interface Props {
  readonly onAddChild: () => void;
  readonly onAddEntry: (() => void) | null;
}

export function EntryTools({ onAddChild, onAddEntry }: Props) {
  return (
    <div className={styles['tools']} role="toolbar" aria-label={ENTRY_TEXTS.table}>
      <span className={styles['wide']}>
        <Button variant="secondary" size="sm" icon={<FolderPlus size={16} />} onPress={onAddChild}>
          {TEXTS.addChild}
        </Button>
      </span>
      <span className={styles['narrow']}>
        <IconButton label={TEXTS.addChild} icon={<FolderPlus size={18} />} align="end" onPress={onAddChild} />
      </span>
      {onAddEntry !== null && (
        <span className={styles['float']}>
          <Button variant="primary" size="sm" icon={<Plus size={16} />} onPress={onAddEntry}>
            {ENTRY_TEXTS.add}
          </Button>
        </span>
      )}
    </div>
  );
}
