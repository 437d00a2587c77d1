import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { newEntrySaving } from '@passwordbroker/client/vault/entries/new-entry';
import type { CreatedEntry, EntryMarks, VaultWrite } from '@passwordbroker/client/vault/vault';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { takeBack, tellDone } from '../../activity-log/activity-log.ts';
import type { DraftErrors } from '../../fields/edit/new-field.ts';
import { problemText } from '../../fields/table/problem-text.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { UNDO_TEXTS } from '../../texts/entries/trash-and-activity.ts';
import { useVault } from '../../vault/use-vault.ts';
import { type Drafts, readFields } from './new-entry.ts';
import type { TemplateField } from '../templates/templates.ts';
import { titleError } from './edit-entry-dialog.tsx';
import { useListedEntries } from './use-entry-actions.ts';

interface Typed {
  readonly offered: readonly TemplateField[];
  readonly drafts: Drafts;
}

interface Left {
  /** Whether the entry was added; fields are missing then. */
  readonly isStored: boolean;
  /** Keys of fields. */
  readonly saved: ReadonlySet<string>;
}

export interface AddEntry {
  readonly isBusy: boolean;
  /** What an attempt that failed has saved; unchanged while the next one runs, so that the form does not jump. */
  readonly left: Left;
  readonly titleProblem: string | null;
  readonly problem: readonly string[];
  readonly errors: Readonly<Record<string, DraftErrors>>;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  /** Entries added so far. */
  readonly count: number;
  /** Returns null if something is missing. */
  submit(title: string, typed: Typed, marks: EntryMarks): Promise<Entry | null>;
  cancel(): void;
}

/** Saves one entry after the other; each notice offers Undo of the entry with all its fields. */
export function useAddEntry(groupId: string, write: VaultWrite): AddEntry {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const listed = useListedEntries();
  const client = useQueryClient();
  const [saving, setSaving] = useState(() => newEntrySaving(groupId, { read, write }));
  const [isBusy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const [sent, setSent] = useState<number | null>(null);
  const [found, setFound] = useState<Pick<AddEntry, 'titleProblem' | 'problem' | 'errors'>>(NO_PROBLEM);
  const [left, setLeft] = useState<Left>(NOTHING);
  const running = useRef<AbortController | null>(null);

  async function submit(title: string, { offered, drafts }: Typed, marks: EntryMarks): Promise<Entry | null> {
    const filled = readFields(offered, drafts, saving.saved);
    const titleProblem = title === '' ? TEXTS.titleMissing : null;
    setFound({ ...NO_PROBLEM, titleProblem, errors: 'errors' in filled ? filled.errors : {} });
    if ('errors' in filled || titleProblem !== null) return null;
    const { fields } = filled;
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    try {
      const watched = {
        signal: stop.signal,
        ...(fields.some(({ field }) => field.type === 'file') ? { onProgress: setSent } : {}),
      };
      const save = () => saving.save(title, fields, watched, marks);
      const label = TEXTS.saveAction(title);
      const entry = await (fields.length === 0 ? save() : masterPassword.use(save, { label, signal: stop.signal }));
      tellDone(TEXTS.added(title), undoOf(entry));
      await listed.reload(groupId);
      setSaving(newEntrySaving(groupId, { read, write }));
      setLeft(NOTHING);
      setCount(count + 1);
      return entry;
    } catch (failure) {
      const entry = saving.entry();
      setLeft({ isStored: entry !== null, saved: new Set(saving.saved) });
      if (entry !== null) {
        void listed.reload(groupId);
        void client.invalidateQueries({ queryKey: ['online', 'fields', entry.entry_id] });
      }
      if (failure instanceof MasterPasswordCancelled && entry === null) return null;
      const missing = fields.filter(({ key }) => !saving.saved.has(key)).map(({ field }) => field.title);
      // The dialog is closed then.
      if (stop.signal.aborted && entry !== null) {
        const undo = undoOf(entry);
        const action = undo && { label: UNDO_TEXTS.undo, onPress: () => void takeBack(undo) };
        toast(TEXTS.missing(missing), { tone: 'danger', ...(action && { action }) });
      }
      setFound(
        entry === null
          ? { ...NO_PROBLEM, titleProblem: titleError(failure) }
          : { ...NO_PROBLEM, problem: [TEXTS.missing(missing), problemText(failure), TEXTS.goOn] },
      );
      return null;
    } finally {
      running.current = null;
      setSent(null);
      setBusy(false);
    }
  }

  /** Takes the entry back with the fields saved so far. */
  function undoOf({ operationId, title }: CreatedEntry) {
    if (operationId === null) return null;
    return async () => {
      await write.undo(operationId);
      await listed.reload(groupId);
      return TEXTS.addUndone(title);
    };
  }

  return {
    ...found,
    isBusy,
    left,
    sent,
    count,
    submit,
    cancel: () => running.current?.abort(),
  };
}

const NOTHING: Left = { isStored: false, saved: new Set() };
const NO_PROBLEM = { titleProblem: null, problem: [], errors: {} } as const;
