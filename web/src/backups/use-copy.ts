/** 'Copy again': requests a copy of one backup to the second target. The list shows the result. */
import { type Backup, copy } from '@passwordbroker/core/contract/site/backups';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { tellFailure } from '../activity-log/tell.ts';
import { http } from '../lib/http.ts';
import { reasonOf } from '../lib/reason.ts';
import { BACKUP_COPY_TEXTS as TEXTS } from '../texts/backup-copy.ts';
import { BACKUPS_KEY } from './use-backups.ts';

export function useCopy({ backup_id, file_name }: Backup) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await http.call(copy, { params: { id: backup_id } });
      activityLog.add(TEXTS.requested(file_name));
    } catch (failure) {
      tellFailure(TEXTS.requestFailed(reasonOf(failure)));
    }
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    setBusy(false);
  };
  return { isBusy, begin };
}
