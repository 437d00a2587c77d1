import type { Entry } from '@passwordbroker/core/contract/entities';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { FieldHistoryDialog } from '../history/field-history-dialog.tsx';
import { SeenByDialog } from '../history/seen-by-dialog.tsx';
import { EDIT_FIELD_TEXTS as TEXTS, REMOVE_FIELD_TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { DraftInputs, FieldFormDialog } from '../edit/field-form-dialog.tsx';
import { RevisionConflictDialog } from '../edit/revision-conflict-dialog.tsx';
import { useEditField, type EditField } from '../edit/use-edit-field.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { tellDone } from '../../activity-log/activity-log.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { problemText } from './problem-text.ts';
import { useFieldsReload } from './use-fields.ts';

export type RecordVerb = 'seenBy' | 'history' | 'edit' | 'remove';

interface Props {
  readonly verb: RecordVerb;
  readonly path: FieldPath;
  readonly entry: Entry;
  /** null if the person may only read. */
  readonly write: VaultWrite | null;
  readonly onRemoved: () => void;
  /** Receives an error that no dialog shows, or null. */
  readonly onEnd: (problem: string | null) => void;
}

export function FieldDialogs({ verb, path, entry, write, onRemoved, onEnd }: Props) {
  const close = () => onEnd(null);
  if (verb === 'seenBy') return <SeenByDialog path={path} onClose={close} />;
  if (verb === 'history') return <FieldHistoryDialog path={path} write={write} onClose={close} />;
  if (write === null) return null;
  return verb === 'edit' ? (
    <EditFieldDialog path={path} entry={entry} write={write} onEnd={onEnd} />
  ) : (
    <RemoveFieldDialog path={path} entry={entry} write={write} onRemoved={onRemoved} onClose={close} />
  );
}

interface EditFieldDialogProps {
  readonly path: FieldPath;
  readonly entry: Entry;
  readonly write: VaultWrite;
  /** Begins with a generated password. */
  readonly isRenewed?: boolean;
  /** Receives an error that no dialog shows, or null. */
  readonly onEnd: (problem: string | null) => void;
}

/** Edits a field. Opens once the value is decrypted (docs/spec/product.md §4). */
export function EditFieldDialog({ path, entry, write, isRenewed = false, onEnd }: EditFieldDialogProps) {
  const editing = useEditField(path, write, onEnd, isRenewed);
  const { base, draft, theirs } = editing;
  if (base === null || draft === null) return null;
  if (theirs !== null) {
    return (
      <RevisionConflictDialog
        theirs={theirs}
        mine={draft}
        onBack={editing.back}
        onKeepTheirs={() => onEnd(null)}
        onSaveMine={() => void editing.saveMine()}
      />
    );
  }
  return <EditForm editing={editing} entry={entry} />;
}

function EditForm({ editing, entry }: { readonly editing: EditField; readonly entry: Entry }) {
  const { base, draft, errors, sent, state } = editing;

  if (base === null || draft === null) return null;
  return (
    <FieldFormDialog
      title={TEXTS.title}
      subtitle={TEXTS.within(draft.type, entry.title)}
      cancel={TEXTS.cancel}
      submit={TEXTS.save}
      submitting={TEXTS.saving}
      isBusy={state === 'in progress'}
      canStop={draft.type === 'file'}
      problem={errors.master_password ?? errors.other}
      onSubmit={() => void editing.submit()}
      onClose={editing.cancel}
    >
      <DraftInputs draft={draft} errors={errors} onChange={editing.change} sent={sent} present={base.revealed} />
    </FieldFormDialog>
  );
}

interface RemoveFieldDialogProps {
  readonly path: FieldPath;
  readonly entry: Entry;
  readonly write: VaultWrite;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

function RemoveFieldDialog({ path, entry, write, onRemoved, onClose }: RemoveFieldDialogProps) {
  const remove = useRemoveField(path, write);
  const { title } = path.field;
  const confirm = async () => {
    try {
      await remove();
      onRemoved();
    } catch (failure) {
      // The prompt was closed and nothing was deleted: the dialog stays.
      if (!(failure instanceof MasterPasswordCancelled)) throw failure;
    }
  };
  return (
    <ConfirmDialog
      title={REMOVE_FIELD_TEXTS.title(title === '' ? FIELD_TEXTS.untitled : title)}
      cancel={REMOVE_FIELD_TEXTS.cancel}
      confirm={REMOVE_FIELD_TEXTS.confirm}
      confirming={REMOVE_FIELD_TEXTS.confirming}
      onConfirm={confirm}
      onClose={onClose}
      problemOf={problemText}
    >
      {REMOVE_FIELD_TEXTS.text(entry.title)}
    </ConfirmDialog>
  );
}

/** Moves the field to the trash and offers Undo. @throws MasterPasswordCancelled if the prompt is closed */
function useRemoveField(path: FieldPath, write: VaultWrite): () => Promise<void> {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const { title } = path.field;

  return async () => {
    const { operation_id } = await masterPassword.use(() => write.removeField(path), {
      label: REMOVE_FIELD_TEXTS.action(title),
    });
    tellDone(REMOVE_FIELD_TEXTS.deleted(title), async () => {
      await write.undo(operation_id);
      await reload();
      return REMOVE_FIELD_TEXTS.restored(title);
    });
    await reload();
  };
}
