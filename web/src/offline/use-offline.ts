import { useSyncExternalStore, useEffect } from 'react';
import type { OfflineState } from '@passwordbroker/client/offline/offline';
import { offline } from '../page/vault.ts';
import { activityLog } from '../activity-log/activity-log.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';

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

/** docs/spec/product.md §8. All are logged, some are also shown as a toast. */
interface OfflineNotice {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly isToast: boolean;
}

const said = (text: string, isToast = true): OfflineNotice => ({ text, isToast });
const failed = (text: string): OfflineNotice => ({ text, isFailure: true, isToast: true });

export function noticesBetween(before: OfflineState, now: OfflineState): readonly OfflineNotice[] {
  return [...modeNotices(before, now), ...copyNotices(before, now)];
}

function modeNotices(before: OfflineState, now: OfflineState): readonly OfflineNotice[] {
  if (before.databaseMode === now.databaseMode) return [];
  switch (now.databaseMode) {
    case 'switching_to_offline':
      return [said(TEXTS.switchingTo, false)];
    case 'offline':
      return [said(TEXTS.switched)];
    case 'online':
      if (before.databaseMode === 'offline') return [said(TEXTS.switchedOnline)];
      // Without a problem, the keys were locked and the person is asked for them.
      return now.problem === null ? [] : [failed(TEXTS.switchingError(now.problem))];
  }
}

function copyNotices(before: OfflineState, now: OfflineState): readonly OfflineNotice[] {
  const notices: OfflineNotice[] = [];
  if (before.parts.database === 'download_required' && now.parts.database === 'synchronized') {
    notices.push(said(TEXTS.updated, false));
    // Only the first download: a person waits for it.
    if (before.copyOf === null) notices.push(said(TEXTS.ready));
  }
  const reason = now.syncMode === 'error' && now.problem !== before.problem ? now.problem : null;
  if (reason !== null && before.databaseMode === now.databaseMode)
    notices.push(failed(now.copyOf === null ? TEXTS.notReady(reason) : TEXTS.updateError(reason)));
  return notices;
}
