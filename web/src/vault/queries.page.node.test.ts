import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import { activityLog } from '../activity-log/activity-log.ts';
import { toast, toastStore } from '@passwordbroker/ui/feedback/toast';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // The page has the origin of this server, so its requests are answered.
  const { happyDOM } = window as unknown as { readonly happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(await app.listen());
});
afterAll(() => app.stop());

test('the end of the session clears the cache and the log, and later notices are ignored', async () => {
  // Imported here because they read the page's address, which is set above.
  const { session } = await import('../page/page.ts');
  const { queries } = await import('../page/vault.ts');
  queries.setQueryData(['online', 'tree'], ['Operations']);
  activityLog.add('Password copied');
  toast('Password copied');
  await session.check();
  expect(session.view()).toMatchObject({ status: 'signup', user: null });
  activityLog.add('late');
  toast('late');
  expect([queries.getQueryCache().getAll(), activityLog.list(), toastStore.current()]).toEqual([[], [], []]);
});
