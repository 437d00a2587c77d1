import { useState, type FormEvent } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import styles from './settings-tab.module.css';
import { useGroupActions, type NamedGroup } from '../dialogs/use-group-actions.ts';

export function RenameGroupForm({ group, write }: { readonly group: NamedGroup; readonly write: VaultWrite }) {
  const actions = useGroupActions(write);
  /** null while unchanged. */
  const [draft, setDraft] = useState<string | null>(null);
  const name = draft ?? group.title;
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    if (name.trim() === '') {
      setError(TEXTS.nameMissing);
      return;
    }
    setError(null);
    if (name.trim() === group.title) return;
    setSaving(true);
    try {
      await actions.rename(group, name.trim());
      setDraft(null);
    } catch (failure) {
      setError((failure instanceof AppError ? failure.errors?.['name']?.[0] : undefined) ?? reasonOf(failure));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className={styles['name']} onSubmit={(event) => void save(event)} noValidate>
      <TextField label={TEXTS.name} value={name} onChange={setDraft} maxLength={255} autoComplete="off" error={error} />
      <Button variant="primary" type="submit" busy={isSaving} busyLabel={TEXTS.saving}>
        {TEXTS.save}
      </Button>
    </form>
  );
}
