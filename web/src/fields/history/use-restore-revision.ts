import { useEffect, useRef, useState } from 'react';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { activityLog } from '../../activity-log/activity-log.ts';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { FIELD_HISTORY_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { isRevisionConflict } from '../edit/open-present.ts';
import { problemText } from '../table/problem-text.ts';
import { useFieldsReload } from '../table/use-fields.ts';

interface RestoreRevision {
  /** Id of the row whose value is being restored. */
  readonly running: string | null;
  readonly problem: string | null;
  /** Upload progress from 0 to 1, or null. */
  readonly done: number | null;
  readonly restore: (row: FieldHistory) => Promise<void>;
}

/**
 * Writes an older value as the newest revision, one at a time.
 * @param onChanged called when the history has a new row
 */
export function useRestoreRevision(
  path: FieldPath,
  write: VaultWrite,
  onChanged: () => Promise<void>,
): RestoreRevision {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [running, setRunning] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { title, type } = path.field;

  async function restore(row: FieldHistory) {
    if (running !== null) return;
    const { signal } = (stop.current = new AbortController());
    setProblem(null);
    setRunning(row.field_edit_log_id);
    try {
      const watched = { signal, ...(type === 'file' && { onProgress: setDone }) };
      await masterPassword.use(() => write.restoreRevision(path, row, watched), { label: TEXTS.restoreAction(title) });
      activityLog.add(TEXTS.restored(title));
      toast(TEXTS.restored(title), { tone: 'success' });
    } catch (failure) {
      if (!signal.aborted && !(failure instanceof EntryCancelled)) {
        setProblem(isRevisionConflict(failure) ? TEXTS.restoreConflict : problemText(failure));
      }
    }
    try {
      if (!signal.aborted) await Promise.all([reload(), onChanged()]);
    } finally {
      setRunning(null);
      setDone(null);
    }
  }
  return { running, problem, done, restore };
}
