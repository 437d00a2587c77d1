/** What move mode is about, its way out, and the root as a place to drop on (docs/spec/product.md §2). */
import { Move } from 'lucide-react';
import { GROUP_TEXTS as TEXTS } from '../texts/groups.ts';
import { Button } from '../ui/button.tsx';
import { PLACE } from './drop-places.ts';
import { useDragPart } from './group-drag.ts';
import styles from './move-mode.module.css';

const ROOT_PLACE = { groupId: null };

export function MoveModeBar({ onDone }: { readonly onDone: () => void }) {
  const part = useDragPart(ROOT_PLACE);
  return (
    <>
      <div className={styles['note']}>
        <Move size={14} aria-hidden="true" />
        <span>{TEXTS.moveHint}</span>
        <Button size="sm" variant="ghost" onPress={onDone}>
          {TEXTS.moveDone}
        </Button>
      </div>
      <div className={styles['zone']} data-part={part} {...{ [PLACE]: '' }}>
        {TEXTS.dropZone}
      </div>
    </>
  );
}
