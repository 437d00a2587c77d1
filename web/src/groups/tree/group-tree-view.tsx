import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Collection } from 'react-aria-components/Collection';
import { type Key, type Selection, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { GripVertical } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { RoleMark } from '../../members/table/role-mark.tsx';
import { useRowHeight } from '../../app/theme/density.ts';
import { GRIP, mayBeMoved, DROP_TARGET, useDragPart } from '../move/group-drag.ts';
import { useEntryDrop } from '../../entries/entry-drag.ts';
import styles from './group-tree-view.module.css';
import { type GroupNode, type GroupTree, shownRowOf, type VisibleGroup, showGroups } from './group-tree.ts';

interface Props {
  readonly tree: GroupTree;
  readonly selectedId: string | null;
  readonly expanded: ReadonlySet<string>;
  readonly onExpandedChange: (expanded: ReadonlySet<string>) => void;
  readonly onSelect: (id: string) => void;
  readonly isMoving: boolean;
}

/** The tree of groups: virtualised, one tab stop. Guest groups can be focused but not selected. */
export function GroupTreeView({ tree, selectedId, expanded, onExpandedChange, onSelect, isMoving }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight('group');
  const [show] = useState(showGroups);
  const shown = useMemo(() => show(tree.roots, expanded), [show, tree, expanded]);
  useSelectedInView(box, { tree, selectedId, expanded, rowHeight });

  const select = useCallback(
    (selection: Selection) => {
      // Empty: the selected group was pressed, which also closes the drawer on a phone.
      const id = selection === 'all' ? undefined : ([...selection][0] ?? selectedId);
      if (typeof id === 'string') onSelect(id);
    },
    [onSelect, selectedId],
  );
  return (
    <div
      className={styles['frame']}
      data-moving={isMoving || undefined}
      role="presentation"
      onKeyDownCapture={enterOpenGroup}
    >
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: rowHeight }}>
        <Tree
          ref={box}
          className={styles['tree'] ?? ''}
          aria-label={TEXTS.tree}
          items={shown}
          selectionMode="single"
          escapeKeyBehavior="none"
          selectedKeys={selectedId === null ? [] : [selectedId]}
          onSelectionChange={select}
          disabledKeys={tree.guests}
          disabledBehavior="selection"
          expandedKeys={expanded}
          onExpandedChange={(keys: Set<Key>) => onExpandedChange(new Set([...keys].map(String)))}
          keyboardNavigationBehavior="tab"
        >
          {renderGroup}
        </Tree>
      </Virtualizer>
    </div>
  );
}

/** One function for every level, so that React Aria can reuse rendered groups. */
function renderGroup({ group, children }: VisibleGroup) {
  const isLeaf = group.children.length === 0;
  return (
    <TreeItem
      id={group.id}
      textValue={group.title}
      aria-label={TEXTS.named(group.title, TEXTS.roles[group.role])}
      className={styles['item'] ?? ''}
      data-role={group.role}
      render={(props) => <div {...props} {...(group.role === 'guest' ? { 'aria-disabled': true } : {})} />}
    >
      <TreeItemContent>{({ isExpanded }) => <GroupRow group={group} isExpanded={isExpanded} />}</TreeItemContent>
      {!isLeaf && <Collection items={children ?? closedChildren(group.id)}>{renderChild}</Collection>}
    </TreeItem>
  );
}

/** A placeholder child that never renders: React Aria calls a group expandable only if it has a child. */
interface StandIn {
  readonly id: string;
}
const closedChildren = (id: string): readonly StandIn[] => [{ id: `${id}/closed` }];

function renderChild(child: VisibleGroup | StandIn) {
  if ('group' in child) return renderGroup(child);
  return (
    <TreeItem id={child.id} textValue=" ">
      <TreeItemContent>{null}</TreeItemContent>
    </TreeItem>
  );
}

/** Right on an expanded group moves to its first child. */
function enterOpenGroup(event: KeyboardEvent<HTMLDivElement>) {
  const row = event.target;
  if (event.key !== 'ArrowRight' || !(row instanceof HTMLElement) || row.getAttribute('aria-expanded') !== 'true')
    return;
  event.preventDefault();
  event.stopPropagation();
  row.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
}

interface Selected {
  readonly tree: GroupTree;
  readonly selectedId: string | null;
  readonly expanded: ReadonlySet<string>;
  readonly rowHeight: number;
}

/** Scrolls a newly selected group into view once; later scrolling stays. */
function useSelectedInView(box: RefObject<HTMLDivElement | null>, selected: Selected) {
  const { tree, selectedId, expanded, rowHeight } = selected;
  const brought = useRef<string | null>(null);
  useLayoutEffect(() => {
    const bring = () => {
      const element = box.current;
      if (element === null || selectedId === brought.current) return;
      const row = selectedId === null ? -1 : shownRowOf(tree, expanded, selectedId);
      if (selectedId !== null && row === -1) return;
      brought.current = selectedId;
      const top = row * rowHeight;
      const isShown = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
      if (row >= 0 && !isShown) element.scrollTo({ top: Math.max(0, top - element.clientHeight / 2) });
    };
    // In the next frame: reading sizes here would force a layout.
    const frame = requestAnimationFrame(bring);
    return () => cancelAnimationFrame(frame);
  }, [box, tree, selectedId, expanded, rowHeight]);
}

function GroupRow({ group, isExpanded }: { readonly group: GroupNode; readonly isExpanded: boolean }) {
  const part = useDragPart({ groupId: group.id });
  const { isOver, handlers } = useEntryDrop(group);
  return (
    <div
      className={styles['row']}
      role="presentation"
      data-part={isOver ? 'target' : part}
      {...{ [DROP_TARGET]: group.id }}
      {...handlers}
    >
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

interface FolderIconProps {
  readonly kind: 'leaf' | 'closed' | 'open';
}

const FOLDER = 'M1.8 12V4a1 1 0 0 1 1-1h3l1.6 1.7h5.8a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H2.8a1 1 0 0 1-1-1Z';
const OPEN_FRONT = 'm1.9 12.3 1.6-4.8a1 1 0 0 1 1-.7h9.2a.7.7 0 0 1 .7.9l-1.5 4.6a1 1 0 0 1-1 .7H2.8a.9.9 0 0 1-.9-.7Z';
const OPEN_BACK = 'M1.8 12V4a1 1 0 0 1 1-1h3l1.6 1.7h4.8a1 1 0 0 1 1 1v1';

export function FolderIcon({ kind }: FolderIconProps) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {kind === 'open' ? (
        <>
          <path d={OPEN_FRONT} fill="currentColor" fillOpacity=".18" />
          <path d={OPEN_BACK} />
        </>
      ) : (
        <path d={FOLDER} {...(kind === 'closed' ? { fill: 'currentColor', fillOpacity: '.18' } : {})} />
      )}
      {kind === 'closed' && <path d="m7.2 7.3 1.6 1.6-1.6 1.6" />}
    </svg>
  );
}
