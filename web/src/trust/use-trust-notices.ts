/** Notices about the trust record, each shown once: a new browser, a record put back, deleted storage. */
import { useEffect } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { tellFailure } from '../activity-log/tell.ts';
import { formatTime } from '../lib/format.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../texts/trust-record.ts';
import type { AccountTrust } from '../vault/trust.ts';

export function useTrustNotices(account: AccountTrust | undefined): void {
  const { hasMemory = true, wasPutBack = false, wasStorageDeleted = false, lastUse = null } = account ?? {};
  const newBrowser =
    hasMemory || lastUse === null ? null : TEXTS.newBrowser(formatTime(lastUse.at * 1000), lastUse.browser);
  useEffect(() => {
    if (newBrowser !== null) activityLog.add(newBrowser);
  }, [newBrowser]);
  useEffect(() => {
    if (wasPutBack) activityLog.add(TEXTS.putBack);
  }, [wasPutBack]);
  useEffect(() => {
    if (wasStorageDeleted) tellFailure(TEXTS.storageDeleted);
  }, [wasStorageDeleted]);
}
