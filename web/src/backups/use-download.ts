/** Saving the archive of one backup: how far it is, and what came of it. */
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { useState } from 'react';
import { tellDone, tellFailure } from '../activity-log/tell.ts';
import { reasonOf } from '../lib/reason.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin-backup.ts';
import { downloadBackup } from './download-backup.ts';

/** `percent`: null while nothing flows, or nobody can tell of how much. */
export function useDownload(backup: Backup) {
  const [isBusy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const begin = async () => {
    setBusy(true);
    try {
      const progress = (received: number, total: number) =>
        setPercent(total === 0 ? null : Math.floor((received / total) * 100));
      if (await downloadBackup(backup, progress)) tellDone(TEXTS.downloaded(backup.file_name));
    } catch (failure) {
      tellFailure(TEXTS.downloadFailed(reasonOf(failure)));
    }
    setPercent(null);
    setBusy(false);
  };
  return { isBusy, percent, begin };
}
