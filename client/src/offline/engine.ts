/** Local copy of the signed-in person (docs/spec/product.md §4, docs/spec/crypto.md §16). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { User } from '@passwordbroker/core/contract/entities';
import { nameOfCopy, type CopyRecord } from '../keyring/copy/copy-store.ts';
import { createEnabling, type Present } from './modes/enabling.ts';
import { openLabel, renewLabel, soundRecord } from './labels.ts';
import { readKeyPart } from '../keyring/copy/key-parts.ts';
import { checkTime, isExpired } from './parts/copy-age.ts';
import { expiredCopies, openableCopies, sweepCopies } from './parts/kept-copies.ts';
import { NOTHING_KEPT, TO_BE_DOWNLOADED, type Offline, OfflineCopyError } from './offline.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../texts/offline-copy.ts';
import type { OfflinePage } from './page.ts';
import { askCopyStatus } from './parts/copy-status.ts';
import { createSwitching } from './modes/switching.ts';
import { keepInSync, type Sync } from './modes/sync.ts';

export type OfflineEngine = Omit<Offline, 'subscribe' | 'getState'> & { stop(): void };

export function createOfflineEngine(page: OfflinePage): OfflineEngine {
  const { http, keyring, session, store } = page;
  let present: Present | null = null;
  let presence = new AbortController();
  let sync: Sync | null = null;
  let isStopped = false;
  /** Queue of starts and ends of copies. */
  let line: Promise<unknown> = Promise.resolve();

  const originOf = (server: string | null) => server ?? page.origin;
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };

  const switching = createSwitching(page, {
    onFailed() {
      if (sync === null) page.show({ parts: TO_BE_DOWNLOADED });
      else sync.send('switching failed');
    },
    onOnline: () => sync?.look(),
  });

  const copyStatus = askCopyStatus({ page, forget: (name) => inLine(() => forget(name)) });

  const enabling = createEnabling({
    page,
    copyStatus,
    forget,
    leave,
    keep(who, record) {
      // Signed out in another tab, which found no copy to delete yet.
      if (present?.name !== who.name) return void forget(who.name).catch(() => undefined);
      showKept(record);
      startSync();
    },
  });

  async function recordOf(name: string): Promise<CopyRecord | null> {
    const record = await soundRecord(store, name);
    if (record === null || !isExpired(record)) return record;
    await store.wipeParts(name);
    return { ...record, key: null, salt: null };
  }

  async function begin() {
    const { user } = session.view();
    if (user === null || present !== null) return;
    const origin = originOf(page.servers.chosen());
    const name = nameOfCopy(origin, user.user_id);
    present = { user, name, origin };
    const { signal } = presence;
    const record = await recordOf(name);
    if (signal.aborted) return;
    if (record === null) return void leave();
    showKept(record);
    void page.isLasting(false).then((isLasting) => {
      if (!signal.aborted) page.show({ isLasting });
    });
    if (http.isOffline()) startSync();
    else void startUnlessGone(record, name, signal);
    await renewLabel(store, name, user).catch(() => undefined);
  }

  function showKept({ fileLimit, keepAtLogout, withoutFiles = false }: CopyRecord) {
    page.show({ enabled: true, fileLimit, keepAtLogout, filesAllowed: !withoutFiles });
    if (present !== null) keepKeysOf(present.name);
  }

  async function follow() {
    if (present === null || isStopped) return;
    const { signal } = presence;
    const record = await store.record(present.name);
    if (signal.aborted) return;
    if (record === null) return onGone();
    showKept(record);
    startSync();
  }

  /** Another tab deleted the copy: a page that works from it goes online, or locks. */
  function onGone() {
    sync?.stop();
    sync = null;
    keyring.setLocalBundle(null);
    void leave();
    page.show(NOTHING_KEPT);
  }

  /** If the copy was in use, goes online; if that fails, locks. Never rejects. */
  async function leave(): Promise<void> {
    const wasOffline = page.getState().databaseMode === 'offline';
    switching.unload();
    if (wasOffline) await session.refresh().catch(() => keyring.lock());
  }

  function learn(known: Present, user: User) {
    present = { ...known, user };
    void inLine(() => renewLabel(store, known.name, user)).catch(() => undefined);
  }

  /** Without a response it starts too. */
  async function startUnlessGone(record: CopyRecord, name: string, signal: AbortSignal) {
    const isGone = await copyStatus.isGone(record, signal).catch(() => false);
    if (isGone) await inLine(() => forget(name)).catch(() => undefined);
    else if (!signal.aborted && page.getState().enabled) startSync();
  }

  function keepKeysOf(name: string) {
    keyring.setLocalBundle(async () => {
      const stored = await store.record(name);
      if (stored === null) return null;
      checkTime(stored);
      return readKeyPart(stored);
    });
  }

  /** Without a response it stays. @returns whether it was deleted */
  async function forgetIfGone(name: string, signal: AbortSignal): Promise<boolean> {
    const record = await soundRecord(store, name);
    const isGone = record !== null && (await copyStatus.isGone(record, signal).catch(() => false));
    if (isGone) await inLine(() => forget(name));
    return isGone;
  }

  function startSync() {
    if (present === null || sync !== null) return;
    const { name, origin, user } = present;
    const { signal } = presence;
    sync = keepInSync({
      page,
      name,
      origin,
      userId: user.user_id,
      forgetIfGone: () => forgetIfGone(name, signal),
      onGone,
    });
  }

  async function forget(name: string) {
    // Another person may be signed in now.
    if (present?.name === name) {
      sync?.stop();
      sync = null;
      keyring.setLocalBundle(null);
      page.show({ ...NOTHING_KEPT, syncMode: page.getState().syncMode });
    }
    await store.remove(name);
    page.setHasCopies((await store.records()).length > 0);
    page.tabs.tell('copy changed');
  }

  function end() {
    sync?.stop();
    sync = null;
    present = null;
    presence.abort();
    presence = new AbortController();
    keyring.setLocalBundle(null);
    switching.unload();
    page.show(NOTHING_KEPT);
  }

  const watch = () => {
    const { user } = session.view();
    if (user !== null && user.user_id === present?.user.user_id) {
      if (user !== present.user) learn(present, user);
      return;
    }
    if (present !== null) end();
    if (user !== null) void inLine(begin).catch(() => undefined);
  };
  const stopListening = session.subscribe(watch);
  page.tabs.listen((message) => {
    if (message === 'copy changed') void inLine(follow).catch(() => undefined);
  });
  // Deletes expired copies at each start, so that they do not depend on a sign-in.
  void inLine(async () => page.setHasCopies(await sweepCopies(store))).catch(() => undefined);
  watch();

  const signedIn = (): Present => {
    if (present === null) throw new AppError('unauthenticated', { message: 'user is logout' });
    return present;
  };

  return {
    enable: () => inLine(async () => enabling.enable(signedIn())),
    disable: () => inLine(async () => enabling.disable(signedIn())),

    async setFileLimit(bytes) {
      await store.change(signedIn().name, { fileLimit: bytes });
      page.show({ fileLimit: bytes });
      page.tabs.tell('copy changed');
      sync?.keepBodies();
    },

    async setKeepAtLogout(keep) {
      await store.change(signedIn().name, { keepAtLogout: keep });
      page.show({ keepAtLogout: keep });
      page.tabs.tell('copy changed');
    },

    async switchToOffline() {
      const { name, origin } = signedIn();
      const find = async () => {
        const record = await recordOf(name);
        if (record === null) throw new OfflineCopyError(TEXTS.keyUnusable);
        checkTime(record);
        return record;
      };
      await switching.toOffline(find, origin);
    },

    switchToOnline: () => switching.toOnline(),

    async wipe() {
      const { name } = signedIn();
      sync?.stop();
      sync = null;
      await store.wipeParts(name);
      page.show({ parts: NOTHING_KEPT.parts, copyOf: null, progress: null });
      startSync();
    },

    vault: () => switching.vault(),

    async keepsCopy() {
      await line;
      return page.getState().enabled;
    },

    prepareLogIn: ({ server, userId }) => switching.prepare({ origin: originOf(server), userId }),
    localCopies: () => openableCopies(store),

    async expiredCopies() {
      await line;
      return expiredCopies(store);
    },

    async logIn(copy, by) {
      const name = nameOfCopy(originOf(copy.server), copy.userId);
      const record = await recordOf(name);
      if (record !== null) checkTime(record);
      const user = record === null ? null : await openLabel(store, name, record.label);
      if (record === null || user?.user_id !== copy.userId) throw new OfflineCopyError(TEXTS.keyUnusable);
      await switching.logIn(record, by);
      if (page.servers.chosen() !== copy.server) page.servers.choose(copy.server);
      await session.workOffline(user);
      await line;
    },

    askCopyStatus: () => copyStatus.look(),

    forgetAfterLogout: ({ server, userId }) =>
      inLine(async () => {
        const name = nameOfCopy(originOf(server), userId);
        const record = await store.record(name);
        if (record !== null && !record.keepAtLogout) await forget(name);
      }),

    stop() {
      isStopped = true;
      stopListening();
      copyStatus.stop();
      sync?.stop();
      sync = null;
    },
  };
}
