/** What stands in a row of the tree: folder, title, mark of the role, and in move mode the grip. */
import { GripVertical } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { RoleMark } from '../ui/role-mark.tsx';
import { GRIP, mayBeMoved, PLACE } from './drop-places.ts';
import { FolderIcon } from './folder-icon.tsx';
import { useDragPart } from './group-drag.ts';
import styles from './group-tree-view.module.css';
import type { GroupNode } from './group-tree.ts';

export function GroupRow({ group, isExpanded }: { readonly group: GroupNode; readonly isExpanded: boolean }) {
  const part = useDragPart({ groupId: group.id });
  return (
    <div className={styles['row']} data-part={part} {...{ [PLACE]: group.id }}>
      {group.children.length === 0 ? (
        <span className={styles['fold']}>
          <FolderIcon kind="leaf" />
        </span>
      ) : (
        <Button
          slot="chevron"
          className={styles['fold'] ?? ''}
          aria-label={isExpanded ? TEXTS.collapse(group.title) : TEXTS.expand(group.title)}
        >
          <FolderIcon kind={isExpanded ? 'open' : 'closed'} />
        </Button>
      )}
      <span className={styles['title']} title={group.title}>
        {group.title}
      </span>
      {mayBeMoved(group) && (
        <span className={styles['grip']} aria-hidden="true" {...{ [GRIP]: '' }}>
          <GripVertical size={14} />
        </span>
      )}
      <span className={styles['mark']}>
        <RoleMark role={group.role} />
      </span>
    </div>
  );
}
