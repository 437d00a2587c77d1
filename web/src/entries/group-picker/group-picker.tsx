import { useId, useMemo, useState, type KeyboardEvent, useEffect, useRef } from 'react';
import { Search, Folder } from 'lucide-react';
import { BULK_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { targetFinder, type TargetGroup } from './find-targets.ts';
import styles from './group-picker.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { RoleMark } from '../../members/table/role-mark.tsx';
import { Spacer } from '../table/spacer.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

interface Props {
  /** null while the tree is loading. */
  readonly targets: readonly TargetGroup[] | null;
  readonly chosen: TargetGroup | null;
  readonly onChoose: (group: TargetGroup | null) => void;
  /** True while the choice is being carried out. */
  readonly isLocked: boolean;
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
  /** Why a group is dimmed; null if it is allowed. A dimmed group can be chosen, so that its reason is read. */
  readonly whyNot?: (group: TargetGroup) => string | null;
}

/** A search box with the list of groups. Enter takes the first allowed one; a second Enter submits the form. */
export function GroupPicker({ targets, chosen, onChoose, isLocked, roles, whyNot = allAllowed }: Props) {
  const list = useId();
  const [query, setQuery] = useState('');
  const find = useMemo(() => targetFinder(targets ?? []), [targets]);
  const found = useMemo(() => find(query), [find, query]);

  const search = (text: string) => {
    if (isLocked) return;
    setQuery(text);
    if (chosen !== null && !find(text).includes(chosen)) onChoose(null);
  };
  const walk = (event: KeyboardEvent) => {
    const isTaken = event.key === 'Enter' && chosen === null;
    const step = STEPS[event.key] ?? 0;
    if ((step === 0 && !isTaken) || found.length === 0 || isLocked) return;
    event.preventDefault();
    if (isTaken) {
      onChoose(found.find((group) => whyNot(group) === null) ?? found[0] ?? null);
      return;
    }
    const at = chosen === null ? -1 : found.indexOf(chosen);
    const next = at === -1 && step < 0 ? found.length - 1 : at + (at === -1 ? 1 : step);
    onChoose(found[Math.min(Math.max(next, 0), found.length - 1)] ?? null);
  };
  return (
    <div className={styles['search']} role="presentation" onKeyDown={walk}>
      <TextField
        label={TEXTS.find}
        value={query}
        onChange={search}
        ref={firstFocus}
        autoComplete="off"
        {...(found.length === 0
          ? {}
          : { listbox: { id: list, activeId: chosen === null ? null : optionId(list, chosen.id) } })}
        start={<Search size={16} aria-hidden="true" />}
      />
      {found.length === 0 ? (
        <p className={styles['none']} role="status">
          {targets === null ? TEXTS.loadingTargets : query === '' ? TEXTS.noOtherGroups : TEXTS.noTargets}
        </p>
      ) : (
        <TargetList
          id={list}
          groups={found}
          chosenId={chosen?.id ?? null}
          onChoose={isLocked ? () => undefined : onChoose}
          roles={roles}
          whyNot={whyNot}
        />
      )}
    </div>
  );
}

const allAllowed = () => null;

const ROW = 32;
const TOUCH_ROW = 44;

interface TargetListProps {
  readonly id: string;
  readonly groups: readonly TargetGroup[];
  readonly chosenId: string | null;
  readonly onChoose: (group: TargetGroup) => void;
  /** Names of roles for screen readers. */
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
  readonly whyNot: NonNullable<Props['whyNot']>;
}

/** DOM id of an option, for `aria-activedescendant` of the search box. */
const optionId = (listId: string, groupId: string) => `${listId}-${groupId}`;

function TargetList({ id, groups, chosenId, onChoose, roles, whyNot }: TargetListProps) {
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
        const reason = whyNot(group);
        return (
          <div
            key={group.id}
            id={optionId(id, group.id)}
            role="option"
            tabIndex={-1}
            aria-selected={group.id === chosenId}
            aria-setsize={groups.length}
            aria-posinset={index + 1}
            aria-label={[group.title, group.above, roles[group.role], reason].filter(Boolean).join(', ')}
            className={styles['option']}
            data-dim={reason !== null || undefined}
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
            {reason !== null && <span className={styles['reason']}>{reason}</span>}
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
