import { useEffect } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { noticesBetween } from './offline-notices.ts';
import { offline } from '../page/vault.ts';

export function useOfflineNotices(): void {
  useEffect(() => {
    let before = offline.getState();
    return offline.subscribe(() => {
      const now = offline.getState();
      for (const { text, isFailure = false, isToast } of noticesBetween(before, now)) {
        activityLog.add(text, { isFailure });
        if (isToast) toast(text, { tone: isFailure ? 'danger' : 'info' });
      }
      before = now;
    });
  }, []);
}
