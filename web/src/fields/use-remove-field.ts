/** Puts a field into the trash, says so, and offers to take it back. */
import { tellDone } from '../activity-log/tell.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { REMOVE_FIELD_TEXTS as TEXTS } from '../texts/fields-edit.ts';
import type { FieldPath, VaultWrite } from '../vault/vault.ts';
import { useFieldsReload } from './use-fields.ts';

/** @returns deletes; throws what the vault throws, EntryCancelled when the master password was not given */
export function useRemoveField(path: FieldPath, write: VaultWrite): () => Promise<void> {
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
