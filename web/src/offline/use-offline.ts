import { useSyncExternalStore, useEffect } from 'react';
import type { OfflineState } from '@passwordbroker/client/offline/offline';
import { offline } from '../page/vault.ts';
import { activityLog } from '../activity-log/activity-log.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { noticesBetween } from './offline-notices.ts';

const subscribe = (listener: () => void) => offline.subscribe(listener);
const getState = () => offline.getState();

export function useOffline(): OfflineState {
  return useSyncExternalStore(subscribe, getState);
}

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
