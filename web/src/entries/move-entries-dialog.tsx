/**
 * Chooses the group that entries go to. A group in which one may not write can be chosen and says at once why it is refused
 * (specification §6). The move needs the master password: every value is wrapped anew for the other group.
 */
import { useEffect, useId, useMemo, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { FolderInput, Search } from 'lucide-react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import { BULK_TEXTS as TEXTS } from '../texts/entries-bulk.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { VaultWrite } from '../vault/vault.ts';
import { targetFinder, type TargetGroup } from './find-targets.ts';
import styles from './move-entries-dialog.module.css';
import { optionId, TargetList } from './target-list.tsx';
import { useEntryActs } from './use-entry-acts.ts';

/** Names in the subtitle before they are only counted. */
const NAMED = 3;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

interface Props {
  readonly group: EntryGroup;
  /** Those that are still there: fewer after an attempt that was refused half-way. */
  readonly entries: readonly Entry[];
  /** null while the tree is loading. */
  readonly targets: readonly TargetGroup[] | null;
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

export function MoveEntriesDialog({ group, entries, targets, roles, write, onClose }: Props) {
  const form = useId();
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  const [asked] = useState(entries);
  const [query, setQuery] = useState('');
  const [target, setTarget] = useState<TargetGroup | null>(null);
  const [fraction, setFraction] = useState<number | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const acts = useEntryActs(write);
  const find = useMemo(() => targetFinder(targets ?? []), [targets]);
  const found = useMemo(() => find(query), [find, query]);
  const isMoving = fraction !== null;
  const isRefused = target !== null && !can(target.role, 'entry.write');

  // After the dialog has opened, which puts the focus on its first control.
  useEffect(() => box.current?.focus(), []);

  const choose = (next: TargetGroup | null) => {
    setFailed(false);
    setTarget(next);
  };
  const search = (text: string) => {
    if (isMoving) return;
    setQuery(text);
    // What is not on show any more is not chosen either.
    if (target !== null && !find(text).includes(target)) choose(null);
  };
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || found.length === 0 || isMoving) return;
    event.preventDefault();
    const at = target === null ? -1 : found.indexOf(target);
    const next = at === -1 && step < 0 ? found.length - 1 : at + (at === -1 ? 1 : step);
    choose(found[Math.min(Math.max(next, 0), found.length - 1)] ?? null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isMoving || isRefused) return;
    if (target === null) {
      choose(found[0] ?? null);
      return;
    }
    setFailed(false);
    setFraction(0);
    try {
      const from = { id: group.entry_group_id, title: group.title };
      const entryIds = entries.map((entry) => entry.entry_id);
      if (await acts.move({ from, to: target, entryIds }, setFraction)) onClose();
    } catch {
      setFailed(true);
    } finally {
      setFraction(null);
    }
  };

  const names = asked.slice(0, NAMED).map((entry) => entry.title);
  return (
    <Dialog
      title={asked.length === 1 ? TEXTS.moveOne : TEXTS.moveMany(asked.length)}
      subtitle={TEXTS.names(names, asked.length - names.length)}
      size="md"
      onClose={onClose}
      isBusy={isMoving}
      footer={
        <>
          <Button variant="ghost" onPress={onClose} isDisabled={isMoving}>
            {TEXTS.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            icon={<FolderInput size={16} />}
            isDisabled={target === null || isRefused}
            busy={isMoving}
            busyLabel={TEXTS.moving}
          >
            {TEXTS.move}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        {hasFailed && <MessageBox tone="danger" lines={[TEXTS.failed]} />}
        <div className={styles['search']} role="presentation" onKeyDown={walk}>
          <TextField
            label={TEXTS.find}
            value={query}
            onChange={search}
            ref={box}
            autoComplete="off"
            {...(found.length === 0
              ? {}
              : { listbox: { id: list, activeId: target === null ? null : optionId(list, target.id) } })}
            start={<Search size={16} aria-hidden="true" />}
          />
          {found.length === 0 ? (
            <p className={styles['none']} role="status">
              {targets === null ? TEXTS.loadingTargets : TEXTS.noTargets}
            </p>
          ) : (
            <TargetList
              id={list}
              groups={found}
              chosenId={target?.id ?? null}
              onChoose={isMoving ? () => undefined : choose}
              roles={roles}
            />
          )}
        </div>
        {isRefused && <MessageBox tone="danger" lines={[TEXTS.refused]} />}
        {isMoving && <ProgressBar label={TEXTS.wrapping} value={fraction * 100} />}
      </form>
    </Dialog>
  );
}
