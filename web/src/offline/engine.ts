/** The local copy of whoever is signed in on this page: switched on and off, kept up to date, worked from, wiped (specification §4, crypto.md §16). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { User } from '@passwordbroker/core/contract/entities';
import { nameOfCopy, type CopyRecord } from '../keyring/copy/copy-store.ts';
import { createEnabling, type Present } from './enabling.ts';
import { openLabel, renewLabel, soundRecord } from './labels.ts';
import { readKeyPart } from '../keyring/copy/key-parts.ts';
import { checkTime, isExpired } from './expiry.ts';
import { expiredCopies, openableCopies, sweepCopies } from './kept-copies.ts';
import { NOTHING_KEPT, TO_BE_DOWNLOADED } from './nothing-kept.ts';
import type { Offline } from './offline.ts';
import { OfflineCopyError } from './offline-copy-error.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../texts/offline-copy.ts';
import type { OfflinePage } from './page.ts';
import { askStandings } from './standings.ts';
import { createSwitching } from './switching.ts';
import { keepInSync, type Sync } from './sync.ts';

export type OfflineEngine = Omit<Offline, 'subscribe' | 'getState'> & { stop(): void };

export function createOfflineEngine(page: OfflinePage): OfflineEngine {
  const { http, keyring, session, store } = page;
  let present: Present | null = null;
  /** Ends when nobody is signed in any more: what waits for the server then keeps nobody waiting. */
  let presence = new AbortController();
  let sync: Sync | null = null;
  let isStopped = false;
  /** Begins and ends follow each other. */
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

  const standings = askStandings({ page, forget: (name) => inLine(() => forget(name)) });

  const enabling = createEnabling({
    page,
    standings,
    forget,
    leave,
    keep(who, record) {
      // He has logged out in another tab meanwhile, which found nothing to take away yet.
      if (present?.name !== who.name) return void forget(who.name).catch(() => undefined);
      showKept(record);
      startSync();
    },
  });

  /** What is too old goes. */
  async function recordOf(name: string): Promise<CopyRecord | null> {
    const record = await soundRecord(store, name);
    if (record === null || !isExpired(record)) return record;
    await store.wipeParts(name);
    return { ...record, key: null, salt: null };
  }

  /** Looks whether the person who is signed in by then keeps a copy here: whoever it waited for may have left. */
  async function begin() {
    const { user } = session.view();
    if (user === null || present !== null) return;
    const origin = originOf(page.servers.chosen());
    const name = nameOfCopy(origin, user.user_id);
    present = { user, name, origin };
    const { signal } = presence;
    const record = await recordOf(name);
    if (signal.aborted) return;
    // It went while it was being opened.
    if (record === null) return void leave();
    showKept(record);
    void page.isLasting(false).then((isLasting) => {
      if (!signal.aborted) page.show({ isLasting });
    });
    if (http.isOffline()) startSync();
    // Nobody waits for the server's word.
    else void startUnlessGone(record, name, signal);
    await renewLabel(store, name, user).catch(() => undefined);
  }

  function showKept({ fileLimit, keepAtLogout, withoutFiles = false }: CopyRecord) {
    page.show({ enabled: true, fileLimit, keepAtLogout, filesAllowed: !withoutFiles });
    if (present !== null) keepKeysOf(present.name);
  }

  /** Another tab has switched it on or off, or has set something about it. */
  async function follow() {
    if (present === null || isStopped) return;
    const { signal } = presence;
    const record = await store.record(present.name);
    if (signal.aborted) return;
    if (record === null) return onGone();
    showKept(record);
    startSync();
  }

  /** Another tab has taken it away. Whoever works from it goes on with the server, or not at all. */
  function onGone() {
    sync?.stop();
    sync = null;
    keyring.setLocalBundle(null);
    void leave();
    page.show(NOTHING_KEPT);
  }

  /** What is gone is not worked from any more: its page goes on with the server, or not at all. Never rejects. */
  async function leave(): Promise<void> {
    const wasOffline = page.getState().databaseMode === 'offline';
    switching.unload();
    if (wasOffline) await session.comeOnline().catch(() => keyring.lock());
  }

  /** His account is another than at the beginning: where the server is away he is shown by it. */
  function learn(known: Present, user: User) {
    present = { ...known, user };
    void inLine(() => renewLabel(store, known.name, user)).catch(() => undefined);
  }

  /** Switched off elsewhere, or by the site: then there is nothing to keep. A server that does not answer says nothing. */
  async function startUnlessGone(record: CopyRecord, name: string, signal: AbortSignal) {
    const isGone = await standings.isGone(record, signal).catch(() => false);
    if (isGone) await inLine(() => forget(name)).catch(() => undefined);
    else if (!signal.aborted && page.getState().enabled) startSync();
  }

  /** The locked keys of the copy stand in for the server's while it is away, as long as the copy lives. */
  function keepKeysOf(name: string) {
    keyring.setLocalBundle(async () => {
      const stored = await store.record(name);
      if (stored === null) return null;
      checkTime(stored);
      return readKeyPart(stored);
    });
  }

  /** The server's word, where it is asked in doubt. A server that does not answer says nothing. @returns whether it went */
  async function forgetIfGone(name: string, signal: AbortSignal): Promise<boolean> {
    const record = await soundRecord(store, name);
    const isGone = record !== null && (await standings.isGone(record, signal).catch(() => false));
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

  /** The copy is gone, and whoever kept it keeps none any more. */
  async function forget(name: string) {
    // Another person may be there by now: his copy is kept on.
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
  // Nobody's copy outlives its time because nobody came back for it.
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
      // What is said to be deleted is.
      await line;
      return expiredCopies(store);
    },

    async logIn(copy, masterPassword) {
      const name = nameOfCopy(originOf(copy.server), copy.userId);
      const record = await recordOf(name);
      if (record !== null) checkTime(record);
      const user = record === null ? null : await openLabel(store, name, record.label);
      if (record === null || user?.user_id !== copy.userId) throw new OfflineCopyError(TEXTS.keyUnusable);
      await switching.logIn(record, masterPassword);
      if (page.servers.chosen() !== copy.server) page.servers.choose(copy.server);
      await session.workOffline(user);
      // What is kept of him is known before he sees anything.
      await line;
    },

    askStandings: () => standings.look(),

    forgetAfterLogout: ({ server, userId }) =>
      inLine(async () => {
        const name = nameOfCopy(originOf(server), userId);
        const record = await store.record(name);
        if (record !== null && !record.keepAtLogout) await forget(name);
      }),

    stop() {
      isStopped = true;
      stopListening();
      standings.stop();
      sync?.stop();
      sync = null;
    },
  };
}
