import type { Entry } from '@passwordbroker/core/contract/entities';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { REMOVE_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { tellDone } from '../../activity-log/tell.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { problemText } from '../table/problem-text.ts';
import { useFieldsReload } from '../table/use-fields.ts';

interface Props {
  readonly path: FieldPath;
  readonly entry: Entry;
  readonly write: VaultWrite;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export function RemoveFieldDialog({ path, entry, write, onRemoved, onClose }: Props) {
  const remove = useRemoveField(path, write);
  const { title } = path.field;
  const confirm = async () => {
    try {
      await remove();
      onRemoved();
    } catch (failure) {
      // The prompt was closed and nothing was deleted: the dialog stays.
      if (!(failure instanceof EntryCancelled)) throw failure;
    }
  };
  return (
    <ConfirmDialog
      title={TEXTS.title(title === '' ? FIELD_TEXTS.untitled : title)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.confirm}
      confirming={TEXTS.confirming}
      onConfirm={confirm}
      onClose={onClose}
      problemOf={problemText}
    >
      {TEXTS.text(entry.title)}
    </ConfirmDialog>
  );
}

/** Moves the field to the trash and offers Undo. @throws EntryCancelled if the prompt is closed */
function useRemoveField(path: FieldPath, write: VaultWrite): () => Promise<void> {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const { title } = path.field;

  return async () => {
    const { operation_id } = await masterPassword.use(() => write.removeField(path), { label: TEXTS.action(title) });
    tellDone(TEXTS.deleted(title), async () => {
      await write.undo(operation_id);
      await reload();
      return TEXTS.restored(title);
    });
    await reload();
  };
}
