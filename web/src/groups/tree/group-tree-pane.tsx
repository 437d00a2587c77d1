import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { expandedGroups, useExpandedGroups } from './expanded-groups.ts';
import { GroupTreeView } from './group-tree-view.tsx';
import type { GroupTree } from './group-tree.ts';
import styles from './side-panel.module.css';
import { useGroupTree } from './use-group-tree.ts';
import { useLate } from './use-late.ts';

interface Props {
  /** null until loaded. */
  readonly tree: GroupTree | null;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  readonly isMoveMode: boolean;
  /** A change is being sent. */
  readonly isUpdating: boolean;
}

const OVERLAYS = {
  'required loading': TEXTS.loading,
  loading: TEXTS.loading,
  loaded: null,
  updating: TEXTS.updating,
  failed: null,
} as const;

const SKELETON_LEVELS = [0, 1, 1, 0, 1, 1, 2, 2, 0, 0] as const;

/** The tree in each of its loading states (docs/spec/product.md §4). */
export function GroupTreePane({ tree, selectedId, onSelect, isMoveMode, isUpdating }: Props) {
  const { state, problem, reload } = useGroupTree();
  const expanded = useExpandedGroups();
  const isLate = useLate(tree === null && state !== 'failed', 150);
  return (
    <div className={styles['body']}>
      {problem !== null && (
        <div className={styles['message']}>
          <MessageBox tone="danger" lines={[TEXTS.treeFailed, problem.message]} />
          <Button variant="secondary" size="sm" onPress={reload}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {tree === null && isLate && <TreeSkeleton />}
      {tree !== null && tree.roots.length === 0 && (
        <div className={styles['empty']}>
          <p>{TEXTS.noGroups}</p>
          <p>{TEXTS.noGroupsHint}</p>
        </div>
      )}
      {tree !== null && tree.roots.length > 0 && (
        <GroupTreeView
          tree={tree}
          selectedId={selectedId !== null && tree.byId.has(selectedId) ? selectedId : null}
          expanded={expanded}
          onExpandedChange={expandedGroups.set}
          onSelect={onSelect}
          isMoving={isMoveMode}
        />
      )}
      <TreeOverlay text={OVERLAYS[state] ?? (isUpdating ? TEXTS.updating : null)} />
    </div>
  );
}

function TreeSkeleton() {
  return (
    <div className={styles['skeleton']} aria-hidden="true">
      {SKELETON_LEVELS.map((level, index) => (
        <div key={index} className={styles['skeletonRow']} data-level={level}>
          <Skeleton />
          <Skeleton />
        </div>
      ))}
    </div>
  );
}

interface TreeOverlayProps {
  readonly text: string | null;
}

const LATE_MS = 150;

/**
 * 'loading...' over a skeleton, 'updating...' over the old tree; delayed, so that quick calls do not flash.
 */
function TreeOverlay({ text }: TreeOverlayProps) {
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
