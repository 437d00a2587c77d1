/**
 * The page's side of the worker that holds all keys. Locks by hand, when idle, after sleep, when the session
 * ends, when another tab locks, or when the worker crashes.
 */
import type { KeyringWorker, Load, Presence, Tabs } from '../platform.ts';
import type { Http } from '../transport/http.ts';
import { isAway } from '../transport/answers.ts';
import { createAutoLock } from './lock/auto-lock.ts';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type { CallName, InputOf, OutputOf } from './calls.ts';
import { KeyringError, trustError } from './keyring-error.ts';
import { type AskPasskey, type PasskeyAnswer, wipeAnswer } from './passkey-answer.ts';
import { connect, type CallOptions, type Remote } from './remote.ts';

export interface KeyringOptions {
  readonly http: Pick<Http, 'call' | 'onSessionEnded' | 'onStorageCleared'>;
  readonly startWorker: () => KeyringWorker;
  readonly tabs: Tabs;
  readonly watchPresence: (presence: Presence) => void;
  readonly idleMs: () => number;
  readonly load: Load;
}

/** The person whose keys may be opened here. */
export interface KeyOwner {
  userId(): string | null;
  /** The server returned another person's keys. */
  onOther(): void;
}

/** The master password, what asks for a passkey, or the recovery key. */
export type UnlockBy = string | AskPasskey | { readonly recoveryKey: string };

/** Locked keys of a local copy. Rejects if they must not be used now. */
type LocalBundle = () => Promise<KeyBundle | null>;

export type DocumentVersions = readonly Pick<KeyBundle['documents'][number], 'name' | 'version'>[];

/** Longest wait for the copy of the record. */
const REWRITE_MS = 2_000;

export function createKeyring({ http, startWorker, tabs, watchPresence, idleMs, load }: KeyringOptions) {
  const loadUsers = () => load('users', () => import('@passwordbroker/core/contract/users/users'));
  let worker: { readonly remote: Remote; stop(): void } | null = null;
  let isOpen = false;
  let owner: KeyOwner | null = null;
  let localBundle: LocalBundle | null = null;
  /** An unlock that started before a lock must not open the vault after it. */
  let locks = 0;
  const openListeners = new Set<(bundle: KeyBundle | null) => void>();
  const listeners = new Set<() => void>();
  const documentListeners = new Set<(versions: DocumentVersions) => void>();
  const clearedListeners = new Set<() => void>();
  const calledListeners = new Set<(name: CallName) => void>();
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
    // The worker was replaced.
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

  /** All keys end with the worker; pending calls reject. */
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

  /** Also locks the other tabs: they may be open. */
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
    if (!isOpen && name !== 'detectImport') throw new KeyringError({ code: 'locked' });
    const answer = await remoteOf().call(name, input, options);
    for (const listener of calledListeners) listener(name);
    return answer;
  }

  /** @throws NetworkError or AppError 'unavailable' if neither server nor copy has them; ClosedCopyError */
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

  async function unlockWithPasskey(
    keys: Omit<InputOf<'unlock'>, 'masterPassword'>,
    answer: PasskeyAnswer,
    checkStillWanted: () => void,
  ): Promise<void> {
    const { credentialId, prf } = answer;
    try {
      checkStillWanted();
      const slot = keys.bundle.passkeys?.find(({ credential_id }) => credential_id === credentialId);
      if (slot === undefined) throw trustError('other_passkey');
      await remoteOf().call('unlockWithPasskey', { ...keys, slotId: slot.slot_id, prf }, { transfer: [prf] });
    } finally {
      wipeAnswer(answer);
    }
  }

  tabs.listen((message) => {
    if (message === 'active') autoLock.activityElsewhere();
    else if (message !== 'copy changed') close({ code: 'locked' });
  });
  http.onSessionEnded(lock);
  http.onStorageCleared(() => {
    if (!isOpen) return;
    // The worker writes the trust record to storage again before its keys go.
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

    /** @returns unsubscribe */
    onLocked(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The server cleared this browser's storage, and the vault was locked. @returns unsubscribe */
    onStorageCleared(listener: () => void): () => void {
      clearedListeners.add(listener);
      return () => clearedListeners.delete(listener);
    },

    /** `bundle` null: the keys are those of the copy. @returns unsubscribe */
    onOpened(listener: (bundle: KeyBundle | null) => void): () => void {
      openListeners.add(listener);
      return () => openListeners.delete(listener);
    },

    /** Keys for sign-up, locked, for the server; they do not stay open. */
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

    setOwner(present: KeyOwner) {
      owner = present;
    },

    /** @returns unsubscribe */
    onDocuments(listener: (versions: DocumentVersions) => void): () => void {
      documentListeners.add(listener);
      return () => documentListeners.delete(listener);
    },

    tellDocuments,

    /** Called after each call that succeeded. @returns unsubscribe */
    onCalled(listener: (name: CallName) => void): () => void {
      calledListeners.add(listener);
      return () => calledListeners.delete(listener);
    },

    setLocalBundle(source: LocalBundle | null) {
      localBundle = source;
    },

    /** Starts the worker while the person types. Errors are ignored: each step runs again when needed. */
    prepare(copy: InputOf<'prepareCopy'>): void {
      loadUsers().catch(() => undefined);
      remoteOf()
        .call('prepareCopy', copy)
        .catch(() => undefined);
    },

    /** Locked keys of the local copy; null: there is none. Rejects if they must not be used now. */
    copiedKeys: async () => (await localBundle?.()) ?? null,

    /**
     * Opens nothing.
     * @returns whether the keys are those of the local copy
     * @throws KeyringError 'no_recovery_kit', 'wrong_recovery_key'; as `lockedKeys`
     */
    async tryRecoveryKey(recoveryKey: string): Promise<{ readonly isLocal: boolean }> {
      const { bundle, isLocal } = await lockedKeys();
      await remoteOf().call('tryRecoveryKey', { bundle: withKit(bundle), recoveryKey });
      return { isLocal };
    },

    /**
     * @param by the master password, what asks for a passkey, or the recovery key
     * @throws KeyringError 'wrong_master_password', 'other_passkey', 'wrong_recovery_key', 'other_person',
     * 'locked' (meanwhile); as `lockedKeys`; what asking throws
     */
    async unlock(by: UnlockBy): Promise<void> {
      const before = locks;
      const checkStillWanted = () => {
        if (locks !== before) throw new KeyringError({ code: 'locked' });
      };
      const { bundle, isLocal } = await lockedKeys();
      checkStillWanted();
      const expected = owner?.userId() ?? null;
      // Before sign-in, the chosen copy determines the person.
      const isExpected = owner === null || bundle.user_id === expected || (isLocal && expected === null);
      if (!isExpected && owner !== null) {
        lock();
        owner.onOther();
        throw new KeyringError({ code: 'other_person' });
      }
      const keys = { bundle, isOffline: isLocal };
      if (typeof by === 'string') await remoteOf().call('unlock', { ...keys, masterPassword: by });
      else if (typeof by === 'function')
        await unlockWithPasskey(keys, await by(bundle.passkeys ?? []), checkStillWanted);
      else await remoteOf().call('unlockWithRecoveryKey', { ...keys, bundle: withKit(bundle), ...by });
      checkStillWanted();
      isOpen = true;
      autoLock.start();
      for (const listener of openListeners) listener(isLocal ? null : bundle);
      if (!isLocal) tellDocuments(bundle.documents);
    },

    /** In this tab and the others. */
    lock,

    call,
  };
}

export type Keyring = ReturnType<typeof createKeyring>;

/** @throws KeyringError 'no_recovery_kit' */
function withKit(bundle: KeyBundle): KeyBundle {
  if (!bundle.slots.some(({ slot_type }) => slot_type === 'recovery')) throw trustError('no_recovery_kit');
  return bundle;
}
