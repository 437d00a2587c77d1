/** The local copy of whoever is signed in on this page: switched on and off, kept up to date, worked from, wiped (specification §4, crypto.md §16). */
import * as calls from '@passwordbroker/core/contract/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { User } from '@passwordbroker/core/contract/entities';
import { nameOfCopy, type CopyRecord } from '../keyring/copy/copy-store.ts';
import { openLabel, sealLabel } from './labels.ts';
import { readKeyPart } from '../keyring/copy/key-parts.ts';
import type { LocalCopy, Offline } from './offline.ts';
import { OfflineCopyError } from './offline-copy-error.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../texts/offline-copy.ts';
import type { OfflinePage } from './page.ts';
import { createSwitching } from './switching.ts';
import { keepInSync, type Sync } from './sync.ts';
import { afterSyncEvent } from './sync-mode.ts';

/** Without a sync for so long a copy is gone (crypto.md §16). */
const LIFE_MS = 30 * 24 * 3_600_000;

export type OfflineEngine = Omit<Offline, 'subscribe' | 'getState'> & { stop(): void };

export const NOTHING_KEPT = {
  enabled: false,
  parts: { key: 'not_loaded', database: 'not_loaded', salt: 'not_loaded' },
  syncMode: 'await',
  copyOf: null,
  progress: null,
  fileLimit: 0,
  keepAtLogout: false,
  problem: null,
} as const;

interface Present {
  readonly user: User;
  readonly name: string;
  readonly origin: string;
}

export function createOfflineEngine(page: OfflinePage): OfflineEngine {
  const { http, keyring, session, store } = page;
  let present: Present | null = null;
  /** Of whoever was signed in last: known after the session has ended, too. */
  let latest: string | null = null;
  let sync: Sync | null = null;
  /** Begins and ends follow each other. */
  let line: Promise<unknown> = Promise.resolve();

  const originOf = (server: string | null) => server ?? page.origin;
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };

  const switching = createSwitching(page, {
    onFailed: () => sync?.send('switching failed'),
    onOnline: () => sync?.look(),
  });

  async function recordOf(name: string): Promise<CopyRecord | null> {
    const record = await store.record(name);
    if (record === null || Date.now() - record.syncedAt < LIFE_MS) return record;
    await store.wipeParts(name);
    return { ...record, key: null, salt: null };
  }

  /** Looks whether the person who is signed in keeps a copy here. */
  async function begin(user: User) {
    const origin = originOf(page.servers.chosen());
    const name = nameOfCopy(origin, user.user_id);
    present = { user, name, origin };
    latest = name;
    const record = await recordOf(name);
    if (record === null || present.name !== name) return;
    const { fileLimit, keepAtLogout } = record;
    page.show({ enabled: true, fileLimit, keepAtLogout });
    keyring.setLocalBundle(async () => {
      const stored = await store.record(name);
      return stored === null ? null : readKeyPart(stored);
    });
    // Switched off elsewhere, or by the site: then there is nothing to keep. A server that does not answer says nothing.
    const isOff = http.isOffline() ? false : await openApplication(name).then(isSwitchedOff, () => false);
    if (isOff) return forget(name);
    startSync();
  }

  const isSwitchedOff = ({ is_offline_database_mode }: calls.UserApplication) => !is_offline_database_mode;

  async function openApplication(name: string): Promise<calls.UserApplication> {
    const { userApplication } = await http.call(calls.openApplication, { body: { clientId: page.clientId() } });
    await store.change(name, { applicationId: userApplication.user_application_id });
    return userApplication;
  }

  function startSync() {
    if (present === null || sync !== null) return;
    const { name, origin, user } = present;
    sync = keepInSync({
      page,
      name,
      origin,
      userId: user.user_id,
      reopen: async () => {
        const { user_application_id } = await openApplication(name);
        await http.call(calls.setMode, { params: { id: user_application_id }, body: { status: true } });
        return true;
      },
      onForbidden: () => {
        page.show({ allowed: false });
        void inLine(() => forget(name));
      },
      onGone: () => {
        sync?.stop();
        sync = null;
        keyring.setLocalBundle(null);
        page.show(NOTHING_KEPT);
      },
    });
  }

  /** The copy is gone, and whoever kept it keeps none any more. */
  async function forget(name: string) {
    sync?.stop();
    sync = null;
    if (present?.name === name) {
      keyring.setLocalBundle(null);
      page.show({ ...NOTHING_KEPT, syncMode: page.getState().syncMode });
    }
    await store.remove(name);
    page.setHasCopies((await store.records()).length > 0);
  }

  /** A server that does not answer says nothing. */
  async function forgetUnlessKept(name: string) {
    const record = await store.record(name);
    if (record === null) return;
    const { standing } = await http.call(calls.standing, { params: { id: record.applicationId } });
    if (standing === 'gone') await forget(name);
  }

  function end() {
    sync?.stop();
    sync = null;
    present = null;
    keyring.setLocalBundle(null);
    switching.unload();
    page.show(NOTHING_KEPT);
  }

  const watch = () => {
    const { user } = session.view();
    if (user?.user_id === present?.user.user_id) return;
    if (present !== null) end();
    if (user !== null) void inLine(() => begin(user)).catch(() => undefined);
  };
  const stopListening = [
    session.subscribe(watch),
    // The session was ended by the server: so may the account have been. One that was only idle for long keeps its copy.
    http.onSessionEnded(() => {
      const name = latest;
      if (name !== null) void inLine(() => forgetUnlessKept(name)).catch(() => undefined);
    }),
  ];
  watch();

  const signedIn = (): Present => {
    if (present === null) throw new AppError('unauthenticated', { message: 'user is logout' });
    return present;
  };

  async function enable() {
    const { name, origin, user } = signedIn();
    if (page.getState().enabled) return;
    page.show({ syncMode: afterSyncEvent(page.getState().syncMode, 'enabling'), problem: null });
    try {
      const { userApplication } = await http.call(calls.openApplication, { body: { clientId: page.clientId() } });
      const { user_application_id: applicationId } = userApplication;
      await http.call(calls.setMode, { params: { id: applicationId }, body: { status: true } });
      const label = await sealLabel(store, name, user);
      const own = { origin, server: page.servers.chosen(), userId: user.user_id, applicationId, label };
      const empty = { key: null, salt: null, fileLimit: 0, keepAtLogout: false, syncedAt: Date.now() };
      await store.put(name, { ...own, ...empty });
      page.setHasCopies(true);
      page.show({ enabled: true, allowed: true, syncMode: afterSyncEvent(page.getState().syncMode, 'done') });
      if (present?.name === name) {
        keyring.setLocalBundle(async () => {
          const stored = await store.record(name);
          return stored === null ? null : readKeyPart(stored);
        });
        startSync();
      }
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'forbidden') page.show({ allowed: false });
      page.show({ syncMode: afterSyncEvent(page.getState().syncMode, 'done') });
      throw failure;
    }
  }

  async function disable() {
    const { name } = signedIn();
    const record = await store.record(name);
    page.show({ syncMode: afterSyncEvent(page.getState().syncMode, 'disabling') });
    try {
      // Here first: what is kept goes even when the server cannot be told.
      await forget(name);
      if (record === null) return;
      await http.call(calls.setMode, { params: { id: record.applicationId }, body: { status: false } });
    } finally {
      page.show({ syncMode: afterSyncEvent(page.getState().syncMode, 'done') });
    }
  }

  async function copyOf(record: CopyRecord): Promise<LocalCopy | null> {
    const { origin, userId, server, key, syncedAt } = record;
    const name = nameOfCopy(origin, userId);
    if (key === null || Date.now() - syncedAt >= LIFE_MS) return null;
    const user = await openLabel(store, name, record.label);
    if (user?.user_id !== userId) return null;
    const seen = await store.seen(name);
    return { userId, name: user.name, email: user.email, server, copyOf: seen?.timestamp ?? null };
  }

  return {
    enable: () => inLine(enable),
    disable: () => inLine(disable),

    async setFileLimit(bytes) {
      await store.change(signedIn().name, { fileLimit: bytes });
      page.show({ fileLimit: bytes });
      sync?.keepBodies();
    },

    async setKeepAtLogout(keep) {
      await store.change(signedIn().name, { keepAtLogout: keep });
      page.show({ keepAtLogout: keep });
    },

    async switchToOffline() {
      const { name, origin } = signedIn();
      const record = await recordOf(name);
      if (record === null) throw new OfflineCopyError(TEXTS.keyUnusable);
      await switching.toOffline(record, origin);
    },

    switchToOnline: () => switching.toOnline(),

    async wipe() {
      const { name } = signedIn();
      sync?.stop();
      sync = null;
      await store.wipeParts(name);
      page.show({ parts: NOTHING_KEPT.parts, copyOf: null });
      startSync();
    },

    vault: () => switching.vault(),

    async localCopies() {
      const copies = await Promise.all((await store.records()).map(copyOf));
      return copies.filter((copy) => copy !== null);
    },

    async logIn(copy, masterPassword) {
      const name = nameOfCopy(originOf(copy.server), copy.userId);
      const record = await recordOf(name);
      const user = record === null ? null : await openLabel(store, name, record.label);
      if (record === null || user?.user_id !== copy.userId) throw new OfflineCopyError(TEXTS.keyUnusable);
      await switching.logIn(record, masterPassword);
      if (page.servers.chosen() !== copy.server) page.servers.choose(copy.server);
      session.workOffline(user);
      // What is kept of him is known before he sees anything.
      await line;
    },

    async forgetAfterLogout(server) {
      await inLine(async () => {
        const origin = originOf(server);
        const records = (await store.records()).filter((one) => one.origin === origin && !one.keepAtLogout);
        for (const { userId } of records) await forget(nameOfCopy(origin, userId));
      });
    },

    stop() {
      for (const stop of stopListening) stop();
      sync?.stop();
      sync = null;
    },
  };
}
