/** Groups and entries of a file before they are imported: titles and kinds, never values. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import { useRowHeight } from '../app/theme/density.ts';
import { Spacer } from '../entries/table/spacer.tsx';
import { FIELD_ICONS } from '../fields/table/field-kind.tsx';
import { FolderIcon } from '../groups/tree/group-tree-view.tsx';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { openAtFirst, type PreviewRow, type PreviewTree, previewRows, previewTree } from './preview-rows.ts';
import styles from './preview.module.css';

interface Props {
  readonly read: ReadFile;
  readonly rootName: string;
  /** Existing groups that take those of the file; null: all are new. */
  readonly groups: readonly (string | null)[] | null;
  /** Entries that look like existing ones. */
  readonly same: ReadonlySet<number> | null;
}

const PAGE = 10;

/** One tab stop; the arrow keys walk and fold as in every tree. */
export function Preview({ read, rootName, groups, same }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => previewTree(read), [read]);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => openAtFirst(tree));
  const [active, setActive] = useState(0);
  const rows = useMemo(() => previewRows(tree, open), [tree, open]);
  const height = useRowHeight('group');
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);

  const fold = (group: number, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(group);
    else next.delete(group);
    setOpen(next);
  };
  const go = (index: number) => {
    const to = Math.min(Math.max(index, 0), rows.length - 1);
    setActive(to);
    virtualizer.scrollToIndex(to, { align: 'auto' });
  };
  const walk = (event: KeyboardEvent) => {
    const index = keyedTo(event.key, { rows, tree, open, active, fold });
    if (index === null) return;
    event.preventDefault();
    go(index);
  };

  const items = virtualizer.getVirtualItems();
  const isActiveDrawn = items.some(({ index }) => index === active);
  const last = items.at(-1)?.end ?? 0;
  return (
    <div
      ref={box}
      className={styles['tree']}
      role="tree"
      tabIndex={0}
      aria-label={TEXTS.preview}
      aria-activedescendant={isActiveDrawn ? `${id}-${rows[active]?.key ?? ''}` : undefined}
      onKeyDown={walk}
    >
      <Spacer height={items[0]?.start ?? 0} />
      {items.map(({ index }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <Row
            key={row.key}
            id={`${id}-${row.key}`}
            row={row}
            isActive={index === active}
            isOpen={row.kind === 'group' && hasBelow(tree, row.at) ? open.has(row.at) : null}
            {...wordsOf(row, read, tree, rootName)}
            mark={markOf(row, groups, same)}
            onPress={() => {
              setActive(index);
              if (row.kind === 'group') fold(row.at, !open.has(row.at));
            }}
          />
        );
      })}
      <Spacer height={virtualizer.getTotalSize() - last} />
    </div>
  );
}

const hasBelow = ({ childGroups, ownEntries }: PreviewTree, group: number) =>
  (childGroups[group]?.length ?? 0) + (ownEntries[group]?.length ?? 0) > 0;

interface Walking {
  readonly rows: readonly PreviewRow[];
  readonly tree: PreviewTree;
  readonly open: ReadonlySet<number>;
  readonly active: number;
  readonly fold: (group: number, isOpen: boolean) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/** The row to go to; null for a key that does nothing here. */
function keyedTo(key: string, { rows, tree, open, active, fold }: Walking): number | null {
  const row = rows[active];
  const step = STEPS[key];
  if (step !== undefined) return active + step;
  if (key === 'Home') return 0;
  if (key === 'End') return rows.length - 1;
  if (row === undefined) return null;
  const isFolder = row.kind === 'group' && hasBelow(tree, row.at);
  const isOpen = isFolder && open.has(row.at);
  if (key === 'Enter' || key === ' ') {
    if (isFolder) fold(row.at, !isOpen);
    return active;
  }
  if (key === 'ArrowRight') {
    if (isOpen) return active + 1;
    if (isFolder) fold(row.at, true);
    return active;
  }
  if (key === 'ArrowLeft') {
    if (isOpen) fold(row.at, false);
    else return rows.findLastIndex(({ level }, at) => at < active && level < row.level);
    return active;
  }
  return null;
}

interface Words {
  readonly title: string;
  readonly label: string;
  readonly end: string;
  readonly types: readonly (typeof FIELD_TYPES)[number][];
}

function wordsOf({ kind, at }: PreviewRow, read: ReadFile, { counts }: PreviewTree, rootName: string): Words {
  if (kind === 'group') {
    const title = at === 0 ? rootName : (read.groups[at]?.name ?? '');
    const count = TEXTS.entries(counts[at] ?? 0);
    return { title, label: TEXTS.groupRow(title, count), end: String(counts[at] ?? 0), types: [] };
  }
  const entry = read.entries[at];
  const types = FIELD_TYPES.filter((_, bit) => ((entry?.kinds ?? 0) & (1 << bit)) !== 0);
  const title = entry?.title ?? '';
  return { title, label: [title, ...types.map((type) => FIELD_TEXTS.kinds[type])].join(', '), end: '', types };
}

function markOf({ kind, at }: PreviewRow, groups: Props['groups'], same: Props['same']): string | null {
  if (kind === 'entry') return same?.has(at) === true ? TEXTS.marks.duplicate : null;
  if (groups === null) return null;
  return (groups[at] ?? null) === null ? TEXTS.marks.new : TEXTS.marks.existing;
}

interface RowProps extends Words {
  /** 'new' */
  readonly mark: string | null;
  readonly id: string;
  readonly row: PreviewRow;
  readonly isActive: boolean;
  /** Null: nothing is below it. */
  readonly isOpen: boolean | null;
  readonly onPress: () => void;
}

function Row({ id, row, title, label, end, types, mark, isActive, isOpen, onPress }: RowProps) {
  return (
    <div
      ref={(element) => element?.style.setProperty('--level', String(row.level))}
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-label={mark === null ? label : `${label}, ${mark}`}
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={isActive}
      aria-expanded={isOpen ?? undefined}
      className={styles['row']}
      data-kind={row.kind}
      data-active={isActive || undefined}
      // Keeps the focus on the tree.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      onKeyDown={() => undefined}
    >
      <span className={styles['fold']} aria-hidden="true">
        {isOpen === null ? null : isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
      </span>
      {row.kind === 'group' && <FolderIcon kind={isOpen === true ? 'open' : 'leaf'} />}
      <span className={styles['title']} title={title}>
        {title}
      </span>
      <span className={styles['end']} aria-hidden="true">
        {mark !== null && <span className={styles['mark']}>{mark}</span>}
        {end}
        {types.map((type) => {
          const Icon = FIELD_ICONS[type];
          return <Icon key={type} size={14} />;
        })}
      </span>
    </div>
  );
}
