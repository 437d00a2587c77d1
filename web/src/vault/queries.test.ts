import { expect, test } from 'vitest';
import { activityLog } from '../activity-log/activity-log.ts';
import { session } from '../session/session.ts';
import { toast, toastStore } from '../ui/toast.ts';
import { queries } from './queries.ts';

test('nobody is signed in any more: nothing that was read or said stays, and nothing late is said', async () => {
  queries.setQueryData(['online', 'tree'], ['Operations']);
  activityLog.add('Password copied');
  toast('Password copied');
  await session.check();
  expect(session.view().user).toBeNull();
  activityLog.add('late');
  toast('late');
  expect([queries.getQueryCache().getAll(), activityLog.list(), toastStore.current()]).toEqual([[], [], []]);
});
