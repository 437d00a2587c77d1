/**
 * The typed front of the worker that holds all keys. It knows whether the vault is open, opens it with the master password, and locks it:
 * by hand, after idle minutes, after sleep, at the end of the session, when another tab locks, when the worker stops.
 */
import type { Load } from '../load.ts';
import type { Http } from '../transport/http.ts';
import { isAway } from '../transport/is-away.ts';
import { createAutoLock } from './lock/auto-lock.ts';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type { CallName, InputOf, OutputOf } from './calls.ts';
import { KeyringError } from './keyring-error.ts';
import { connect, type CallOptions, type Port, type Remote } from './remote.ts';
import type { Tabs } from './lock/tabs.ts';

/** A worker, or what stands for one. */
export interface KeyringWorker extends Port {
  terminate(): void;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

export interface KeyringOptions {
  readonly http: Pick<Http, 'call' | 'onSessionEnded' | 'onStorageCleared'>;
  readonly startWorker: () => KeyringWorker;
  readonly tabs: Tabs;
  readonly watchPresence: (presence: Presence) => void;
  readonly idleMs: () => number;
  readonly load: Load;
}

/** Signs that a person is there, or back. */
export interface Presence {
  /** A key, a pointer, a touch; at most once a second. */
  readonly onActivity: () => void;
  /** The page is shown again: after sleep, from another tab, out of the browser's cache. */
  readonly onReturn: () => void;
}

/** Whose keys may be opened here. */
export interface KeyOwner {
  userId(): string | null;
  /** The server gave somebody else's keys: another person has signed in in this browser. */
  onOther(): void;
}

/** The locked keys of a copy in this browser, for when the server cannot be reached; null where there are none. Throws where they are not to be used now. */
type LocalBundle = () => Promise<KeyBundle | null>;

/** How often each sealed document of the person was written. */
export type DocumentVersions = readonly Pick<KeyBundle['documents'][number], 'name' | 'version'>[];

/** So long the lock waits for the own copy to be written again. */
const REWRITE_MS = 2_000;

export function createKeyring({ http, startWorker, tabs, watchPresence, idleMs, load }: KeyringOptions) {
  const loadUsers = () => load('users', () => import('@passwordbroker/core/contract/users/users'));
  let worker: { readonly remote: Remote; stop(): void } | null = null;
  let isOpen = false;
  let owner: KeyOwner | null = null;
  let localBundle: LocalBundle | null = null;
  /** Counts the locks: what began before one must not open anything after it. */
  let locks = 0;
  const openListeners = new Set<(bundle: KeyBundle | null) => void>();
  const listeners = new Set<() => void>();
  const documentListeners = new Set<(versions: DocumentVersions) => void>();
  const clearedListeners = new Set<() => void>();
  const autoLock = createAutoLock({
    lock: () => lock(),
    tellOthers: () => tabs.tell('active'),
    idleMs,
  });

  function remoteOf(): Remote {
    if (worker !== null) return worker.remote;
    const started = startWorker();
    const remote = connect(started);
    const present = { remote, stop: () => started.terminate() };
    worker = present;
    // One that was ended already may still complain: the keys of its successor stay.
    const crashed = () => {
      if (worker === present) close({ code: 'crashed' });
    };
    started.onerror = (event) => {
      event.preventDefault?.();
      crashed();
    };
    started.onmessageerror = crashed;
    return remote;
  }

  /** Ends the worker: with it go all keys, and every call that waits ends. */
  function close(problem: { readonly code: 'locked' | 'crashed' }) {
    const ended = worker;
    const wasOpen = isOpen;
    worker = null;
    isOpen = false;
    locks += 1;
    autoLock.stop();
    ended?.stop();
    ended?.remote.close(problem);
    if (wasOpen) for (const listener of listeners) listener();
  }

  /** The other tabs are told even where nothing was open here: who logs out in one tab may have worked in another. */
  function lock() {
    close({ code: 'locked' });
    tabs.tell('locked');
  }

  function tellDocuments(versions: DocumentVersions) {
    for (const listener of documentListeners) listener(versions);
  }

  async function call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions<Name>,
  ): Promise<OutputOf<Name>> {
    if (!isOpen) throw new KeyringError({ code: 'locked' });
    return remoteOf().call(name, input, options);
  }

  /** @throws NetworkError, or AppError 'unavailable' of a proxy, where neither server nor copy has them; ClosedCopyError; AppError */
  async function lockedKeys(): Promise<{ readonly bundle: KeyBundle; readonly isLocal: boolean }> {
    const { keyBundle } = await loadUsers();
    try {
      return { bundle: await http.call(keyBundle), isLocal: false };
    } catch (failure) {
      const kept = isAway(failure) ? ((await localBundle?.()) ?? null) : null;
      if (kept === null) throw failure;
      return { bundle: kept, isLocal: true };
    }
  }

  tabs.listen((message) => {
    if (message === 'active') autoLock.activityElsewhere();
    else if (message !== 'copy changed') close({ code: 'locked' });
  });
  http.onSessionEnded(lock);
  http.onStorageCleared(() => {
    if (!isOpen) return;
    // What this browser remembers is written again from the worker before its keys go.
    const written = remoteOf().call('accountTrust', null);
    const waited = new Promise((resolve) => setTimeout(resolve, REWRITE_MS));
    void Promise.race([written.catch(() => null), waited]).then(() => {
      lock();
      for (const listener of clearedListeners) listener();
    });
  });
  watchPresence({ onActivity: autoLock.activity, onReturn: autoLock.look });

  return {
    isOpen: () => isOpen,

    /** Called each time the vault becomes locked. @returns how to stop listening */
    onLocked(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Called after an answer of the server has deleted what this browser keeps, and the vault was locked for it. @returns how to stop listening */
    onStorageCleared(listener: () => void): () => void {
      clearedListeners.add(listener);
      return () => clearedListeners.delete(listener);
    },

    /** Called each time the vault was opened, with the locked keys as the server gave them for it; null: they were those of the copy. @returns how to stop listening */
    onOpened(listener: (bundle: KeyBundle | null) => void): () => void {
      openListeners.add(listener);
      return () => openListeners.delete(listener);
    },

    /** Keys for sign-up; the master password is asked again at first use. @returns the locked form, for the server */
    async createAccount(account: InputOf<'createAccount'>): Promise<OutputOf<'createAccount'>> {
      const started = startWorker();
      const remote = connect(started);
      started.onerror = () => remote.close({ code: 'crashed' });
      try {
        return await remote.call('createAccount', account);
      } finally {
        started.terminate();
      }
    },

    /** Told by the session, which alone knows who is signed in. */
    setOwner(present: KeyOwner) {
      owner = present;
    },

    /** Called with the versions of sealed documents as the server has them. @returns how to stop listening */
    onDocuments(listener: (versions: DocumentVersions) => void): () => void {
      documentListeners.add(listener);
      return () => documentListeners.delete(listener);
    },

    /** Told by whoever has written one, or read it from the server. */
    tellDocuments,

    /** Told by whoever keeps a copy of the locked keys. */
    setLocalBundle(source: LocalBundle | null) {
      localBundle = source;
    },

    /**
     * Somebody is about to enter his master password: the worker starts, and gets what it needs besides (`prepareCopy`). What does not go now goes when it is needed;
     * there are no keys yet.
     */
    prepare(copy: InputOf<'prepareCopy'>): void {
      loadUsers().catch(() => undefined);
      remoteOf()
        .call('prepareCopy', copy)
        .catch(() => undefined);
    },

    /**
     * @throws KeyringError 'wrong_master_password'; 'other_person' when the server gives somebody else's keys; 'locked' when a lock came
     * meanwhile; or whatever kept it from being tried
     */
    async unlock(masterPassword: string): Promise<void> {
      const before = locks;
      const checkStillWanted = () => {
        if (locks !== before) throw new KeyringError({ code: 'locked' });
      };
      const { bundle, isLocal } = await lockedKeys();
      checkStillWanted();
      const expected = owner?.userId() ?? null;
      // Before anybody is signed in the copy that was chosen says who it is.
      const isExpected = owner === null || bundle.user_id === expected || (isLocal && expected === null);
      if (!isExpected && owner !== null) {
        lock();
        owner.onOther();
        throw new KeyringError({ code: 'other_person' });
      }
      await remoteOf().call('unlock', { bundle, masterPassword, isOffline: isLocal });
      checkStillWanted();
      isOpen = true;
      autoLock.start();
      for (const listener of openListeners) listener(isLocal ? null : bundle);
      if (!isLocal) tellDocuments(bundle.documents);
    },

    /** Drops every key, in this tab and the others. */
    lock,

    call,
  };
}

export type Keyring = ReturnType<typeof createKeyring>;
