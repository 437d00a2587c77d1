import { useId, useRef, useState, type FormEvent } from 'react';
import { FolderInput } from 'lucide-react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import { BULK_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { TargetGroup } from '../group-picker/find-targets.ts';
import { PreviewLine } from '../../access/preview-line.tsx';
import { GroupPicker } from '../group-picker/group-picker.tsx';
import { useEntryActions } from './use-entry-actions.ts';

const NAMED = 3;

interface Props {
  readonly group: EntryGroup;
  /** The entries that remain; fewer after a partial failure. */
  readonly entries: readonly Entry[];
  /** null while the tree is loading. */
  readonly targets: readonly TargetGroup[] | null;
  /** The group that is chosen first, or null. */
  readonly to: string | null;
  readonly roles: Readonly<Record<TargetGroup['role'], string>>;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/**
 * Chooses the target group of entries. A group without write access shows why it is refused
 * (docs/spec/product.md §6). Moving wraps values for the other group, so it needs the master password.
 */
export function MoveEntriesDialog({ group, entries, targets, to, roles, write, onClose }: Props) {
  const form = useId();
  const [asked] = useState(entries);
  const [picked, setTarget] = useState<TargetGroup | null | undefined>(undefined);
  const target = picked === undefined ? (targets?.find(({ id }) => id === to) ?? null) : picked;
  const [fraction, setFraction] = useState<number | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const actions = useEntryActions(write);
  const running = useRef<AbortController | null>(null);
  const isMoving = fraction !== null;
  const isRefused = target !== null && !can(target.role, 'entry.write');

  const choose = (next: TargetGroup | null) => {
    setFailed(false);
    setTarget(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isMoving || isRefused || target === null) return;
    setFailed(false);
    setFraction(0);
    const stop = new AbortController();
    running.current = stop;
    try {
      const from = { id: group.entry_group_id, title: group.title };
      const entryIds = entries.map((entry) => entry.entry_id);
      const watched = { signal: stop.signal, onProgress: setFraction };
      if (await actions.move({ from, to: target, entryIds }, watched)) onClose();
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
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={isMoving ? () => running.current?.abort() : onClose}
          isHeld={false}
          submit={TEXTS.move}
          submitting={TEXTS.moving}
          isBusy={isMoving}
          isDisabled={target === null || isRefused}
          icon={<FolderInput size={16} />}
        />
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        {hasFailed && <MessageBox tone="danger" lines={[TEXTS.failed]} />}
        <GroupPicker
          targets={targets}
          chosen={target}
          onChoose={choose}
          isLocked={isMoving}
          roles={roles}
          whyNot={({ role }) => (can(role, 'entry.write') ? null : TEXTS.onlyWriters)}
        />
        {isRefused && <MessageBox tone="danger" lines={[TEXTS.refused]} />}
        {!isMoving && !isRefused && target !== null && (
          <PreviewLine
            act={{
              kind: 'move-entries',
              entry_group_id: group.entry_group_id,
              entries: entries.map(({ entry_id }) => entry_id),
              target: target.id,
            }}
          />
        )}
        {isMoving && <ProgressBar label={TEXTS.wrapping} value={fraction * 100} />}
      </form>
    </Dialog>
  );
}
