import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { Search } from 'lucide-react';
import { BULK_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { targetFinder, type TargetGroup } from './find-targets.ts';
import styles from './group-picker.module.css';
import { optionId, TargetList } from './target-list.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

interface Props {
  /** null while the tree is loading. */
  readonly targets: readonly TargetGroup[] | null;
  readonly chosen: TargetGroup | null;
  readonly onChoose: (group: TargetGroup | null) => void;
  /** True while the choice is being carried out. */
  readonly isLocked: boolean;
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
}

/** A search box with the list of groups. Enter takes the first one; a second Enter submits the form. */
export function GroupPicker({ targets, chosen, onChoose, isLocked, roles }: Props) {
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
    const step = isTaken ? 1 : STEPS[event.key];
    if (step === undefined || found.length === 0 || isLocked) return;
    event.preventDefault();
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
        />
      )}
    </div>
  );
}
