import type { Entry } from '@passwordbroker/core/contract/entities';
import { EDIT_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { DraftInputs } from './draft-inputs.tsx';
import { FieldFormDialog } from './field-form-dialog.tsx';
import { RevisionConflictDialog } from './revision-conflict-dialog.tsx';
import { useEditField, type EditField } from './use-edit-field.ts';

interface Props {
  readonly path: FieldPath;
  readonly entry: Entry;
  readonly write: VaultWrite;
  /** Receives an error that no dialog shows, or null. */
  readonly onEnd: (problem: string | null) => void;
}

/** Edits a field. Opens once the value is decrypted (docs/spec/product.md §4). */
export function EditFieldDialog({ path, entry, write, onEnd }: Props) {
  const editing = useEditField(path, write, onEnd);
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
