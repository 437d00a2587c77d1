import { useEffect, useRef } from 'react';
import { Folder } from 'lucide-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { BULK_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { RoleMark } from '../../members/table/role-mark.tsx';
import type { TargetGroup } from './find-targets.ts';
import styles from './group-picker.module.css';
import { Spacer } from '../table/spacer.tsx';

const ROW = 32;
const TOUCH_ROW = 44;

interface Props {
  readonly id: string;
  readonly groups: readonly TargetGroup[];
  readonly chosenId: string | null;
  readonly onChoose: (group: TargetGroup) => void;
  /** Names of roles for screen readers. */
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
}

/** DOM id of an option, for `aria-activedescendant` of the search box. */
export const optionId = (listId: string, groupId: string) => `${listId}-${groupId}`;

export function TargetList({ id, groups, chosenId, onChoose, roles }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const row = globalThis.matchMedia('(max-width: 720px)').matches ? TOUCH_ROW : ROW;
  const virtualizer = useVirtualizer({
    count: groups.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    getItemKey: (index) => groups[index]?.id ?? index,
    overscan: 8,
  });
  const chosen = groups.findIndex((group) => group.id === chosenId);
  useEffect(() => {
    if (chosen >= 0) virtualizer.scrollToIndex(chosen, { align: 'auto' });
  }, [virtualizer, chosen]);

  const items = virtualizer.getVirtualItems();
  return (
    <div ref={box} id={id} role="listbox" aria-label={TEXTS.targets} className={styles['list']} tabIndex={-1}>
      <Spacer height={items[0]?.start ?? 0} />
      {items.map(({ index }) => {
        const group = groups[index];
        if (group === undefined) return null;
        return (
          <div
            key={group.id}
            id={optionId(id, group.id)}
            role="option"
            tabIndex={-1}
            aria-selected={group.id === chosenId}
            aria-setsize={groups.length}
            aria-posinset={index + 1}
            aria-label={[group.title, group.above, roles[group.role]].filter(Boolean).join(', ')}
            className={styles['option']}
            // Keeps the focus in the search box.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(group)}
            onKeyDown={() => undefined}
          >
            <span className={styles['group']} data-role={group.role}>
              <Folder size={16} aria-hidden="true" />
              <span>{group.title}</span>
            </span>
            <span className={styles['above']}>{group.above}</span>
            <span data-role={group.role} className={styles['group']}>
              <RoleMark role={group.role} />
            </span>
          </div>
        );
      })}
      <Spacer height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </div>
  );
}
