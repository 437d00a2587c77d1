import { expect, test } from 'vitest';
import { noticesBetween } from './use-offline.ts';
import type { OfflineState } from '@passwordbroker/client/offline/offline';

const ONLINE: OfflineState = {
  enabled: true,
  allowed: true,
  parts: { key: 'synchronized', database: 'synchronized', salt: 'synchronized' },
  syncMode: 'await',
  databaseMode: 'online',
  copyOf: 1_780_000_000,
  progress: null,
  fileLimit: 0,
  filesAllowed: true,
  keepAtLogout: false,
  isLasting: null,
  problem: null,
};
const SWITCHING: OfflineState = { ...ONLINE, databaseMode: 'switching_to_offline' };
const OFFLINE: OfflineState = { ...ONLINE, databaseMode: 'offline' };
const REQUIRED: OfflineState = { ...ONLINE, parts: { ...ONLINE.parts, database: 'download_required' } };
const FAILED: OfflineState = { ...ONLINE, syncMode: 'error', problem: 'Network Error' };

test.each<[string, OfflineState, OfflineState, readonly string[], boolean]>([
  ['a switch begins', ONLINE, SWITCHING, ['Switching database to offline mode'], false],
  ['a switch succeeds', SWITCHING, OFFLINE, ['Database switched to offline mode'], true],
  ['a switch fails', SWITCHING, { ...ONLINE, problem: 'damaged' }, ['Database switching error: damaged'], true],
  ['a switch back to online', OFFLINE, ONLINE, ['Database switched to online mode'], true],
  ['a later update is logged without a toast', REQUIRED, ONLINE, ['Offline Database is updated'], false],
  ['an update fails', ONLINE, FAILED, ['Offline Database update error: Network Error'], true],
  [
    'the first download fails',
    { ...REQUIRED, copyOf: null },
    { ...FAILED, parts: REQUIRED.parts, copyOf: null },
    ['Offline DB update failed Network Error'],
    true,
  ],
])('%s', (_, before, now, texts, isToast) => {
  const notices = noticesBetween(before, now);
  expect(notices.map(({ text }) => text)).toEqual(texts);
  expect(notices.every((notice) => notice.isToast === isToast)).toBe(true);
});

test('the first download is shown as a toast', () => {
  expect(noticesBetween({ ...REQUIRED, copyOf: null }, ONLINE)).toEqual([
    { text: 'Offline Database is updated', isToast: false },
    { text: 'Offline DB updated', isToast: true },
  ]);
});

test('nothing is reported twice, and a mere lock is not reported', () => {
  expect(noticesBetween(FAILED, FAILED)).toEqual([]);
  expect(noticesBetween(SWITCHING, ONLINE)).toEqual([]);
  expect(noticesBetween({ ...ONLINE, parts: { ...ONLINE.parts, database: 'not_loaded' } }, ONLINE)).toEqual([]);
});
