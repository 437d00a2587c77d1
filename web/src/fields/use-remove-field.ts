/** Puts a field into the trash, says so, and offers to take it back. */
import { activityLog } from '../activity-log/activity-log.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { REMOVE_FIELD_TEXTS as TEXTS } from '../texts/fields-edit.ts';
import { toast } from '../ui/toast.ts';
import type { FieldPath, VaultWrite } from '../vault/vault.ts';
import { problemText } from './problem-text.ts';
import { useFieldsReload } from './use-fields.ts';

/** @returns deletes; throws what the vault throws, EntryCancelled when the master password was not given */
export function useRemoveField(path: FieldPath, write: VaultWrite): () => Promise<void> {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const { title } = path.field;

  const takeBack = async (operationId: string) => {
    try {
      await write.undo(operationId);
      await reload();
      activityLog.add(TEXTS.restored(title));
      toast(TEXTS.restored(title), { tone: 'success' });
    } catch (failure) {
      const text = TEXTS.undoFailed(problemText(failure));
      activityLog.add(text, { isFailure: true });
      toast(text, { tone: 'danger' });
    }
  };
  return async () => {
    const { operation_id } = await masterPassword.use(() => write.removeField(path), { label: TEXTS.action(title) });
    activityLog.add(TEXTS.deleted(title));
    toast(TEXTS.deleted(title), {
      tone: 'success',
      action: { label: TEXTS.undo, onPress: () => void takeBack(operation_id) },
    });
    await reload();
  };
}
