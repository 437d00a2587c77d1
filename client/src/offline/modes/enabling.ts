/** Switches offline mode on and off, here and on the server. */
import type { User } from '@passwordbroker/core/contract/entities';
import * as calls from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { sealLabel, soundRecord } from '../labels.ts';
import type { OfflinePage } from '../page.ts';
import type { CopyStatus } from '../parts/copy-status.ts';
import { afterSyncEvent, type SyncEvent } from './sync-mode.ts';

export interface Present {
  readonly user: User;
  readonly name: string;
  readonly origin: string;
}

interface Of {
  readonly page: OfflinePage;
  readonly copyStatus: Pick<CopyStatus, 'isAllowed'>;
  readonly forget: (name: string) => Promise<void>;
  /** Ends work from the copy. */
  readonly leave: () => Promise<void>;
  readonly keep: (present: Present, record: CopyRecord) => void;
}

export function createEnabling({ page, copyStatus, forget, leave, keep }: Of) {
  const { http, store } = page;
  const send = (event: SyncEvent) => page.show({ syncMode: afterSyncEvent(page.getState().syncMode, event) });

  return {
    async enable(present: Present): Promise<void> {
      const { name, origin, user } = present;
      if (page.getState().enabled) return;
      page.show({ problem: null });
      send('enabling');
      try {
        const { userApplication } = await http.call(calls.openApplication, { body: { clientId: page.clientId() } });
        const { user_application_id: applicationId } = userApplication;
        await http.call(calls.setMode, { params: { id: applicationId }, body: { status: true } });
        const label = await sealLabel(store, name, user, { applicationId });
        const own = { origin, server: page.servers.chosen(), userId: user.user_id, applicationId, label };
        const empty = { key: null, salt: null, fileLimit: 0, keepAtLogout: false, syncedAt: Date.now() };
        const record = await store.create(name, { ...own, ...empty });
        // Not awaited: the browser may ask the person.
        void page.isLasting(true).then((isLasting) => page.show({ isLasting }));
        page.setHasCopies(true);
        page.show({ allowed: true });
        send('done');
        keep(present, record);
        page.tabs.tell('copy changed');
      } catch (failure) {
        const isRefused = failure instanceof AppError && failure.code === 'forbidden';
        if (isRefused && !(await copyStatus.isAllowed())) page.show({ allowed: false });
        send('done');
        throw failure;
      }
    },

    async disable({ name }: Present): Promise<void> {
      const record = await soundRecord(store, name);
      send('disabling');
      try {
        // Deletes locally first, so that the copy goes even if the server is unreachable.
        await forget(name);
        await leave();
        if (record === null) return;
        await http.call(calls.setMode, { params: { id: record.applicationId }, body: { status: false } });
      } finally {
        send('done');
      }
    },
  };
}
