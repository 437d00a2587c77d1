import { useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { OpenedFile, Revealed, Watched } from '@passwordbroker/client/vault/vault';
import { problemText } from '../table/problem-text.ts';
import { saveBlob } from './save-blob.ts';

export interface FileSave {
  /** Progress from 0 to 1, or null. */
  readonly saving: number | null;
  readonly problem: string | null;
  /** Sealed metadata of the last downloaded file. */
  readonly saved: Revealed | null;
  readonly save: () => Promise<void>;
}

/**
 * Downloads the file of one revision, one at a time.
 * @param title of the field, for the prompt and the activity log
 */
export function useFileSave(open: (watched: Watched) => Promise<OpenedFile>, title: string): FileSave {
  const masterPassword = useMasterPassword();
  const [saving, setSaving] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState<Revealed | null>(null);

  async function save() {
    if (saving !== null) return;
    setProblem(null);
    setSaving(0);
    try {
      const opening = () => open({ onProgress: setSaving });
      const { blob, revealed } = await masterPassword.use(opening, { label: TEXTS.save(title) });
      setSaved(revealed);
      saveBlob(blob, revealed.file?.name ?? '');
      activityLog.add(TEXTS.activity.downloaded(title));
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(problemText(failure));
    } finally {
      setSaving(null);
    }
  }
  return { saving, problem, saved, save };
}
