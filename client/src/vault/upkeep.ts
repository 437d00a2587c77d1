/**
 * Background work on keys: rotations after a removal, and at each opening due rotations and missing key
 * proofs.
 */
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { KeyringError, isLocked } from '../keyring/keyring-error.ts';
import type { VaultKeyring } from '../keyring/groups/group-openings.ts';
import type { Http } from '../transport/http.ts';
import type { Rotate, SignAgain } from './groups/online-rotation.ts';
import type { KeptRotations } from './groups/rotations.ts';

export interface Upkeep {
  /** Queues a rotation. Does nothing while locked: the next opening finds it due. */
  readonly rotateSoon: (groupId: string, name?: string) => void;
  watch(): void;
}

export interface UpkeepNotice {
  readonly rotated: number;
  readonly failed: number;
}

interface Parts {
  readonly http: Http;
  readonly keyring: VaultKeyring;
  readonly rotations: KeptRotations;
  readonly rotate: Rotate;
  readonly signAgain: SignAgain;
  /** Called when the queue is empty, unless nothing was rotated or failed. */
  readonly tell: (notice: UpkeepNotice) => void;
}

/**
 * `isQuiet`: shown only once there is something to do. `isUnasked`: skipped if this browser did not know the
 * members before this unlock.
 */
interface Waiting {
  readonly groupId: string;
  readonly isQuiet: boolean;
  readonly isUnasked: boolean;
}

/** From one opening to the lock; unfinished work is found again later. */
const newLife = () => ({ stop: new AbortController(), waiting: [] as Waiting[], running: 0, rotated: 0, failed: 0 });
type Life = ReturnType<typeof newLife>;

const AT_ONCE = 2;

/** Pause between signed lists: twenty a minute. */
const SIGNING_MS = 3_000;

export function keepUp({ http, keyring, rotations, rotate, signAgain, tell }: Parts): Upkeep {
  let life = newLife();

  async function rotateOne({ groupId, isQuiet, isUnasked }: Waiting, present: Life) {
    const { signal } = present.stop;
    const show = (state: 'running' | 'done', fraction: number, skipped = 0) => {
      if (!signal.aborted) rotations.show({ groupId, state, fraction, skipped });
    };
    let isSeen = !isQuiet;
    if (isSeen) show('running', 0);
    const onProgress = (fraction: number) => {
      isSeen = true;
      show('running', fraction);
    };
    try {
      const { skipped } = await rotate(groupId, { signal, onProgress, isUnasked });
      if (!isSeen) return;
      show('done', 1, skipped);
      present.rotated += 1;
    } catch (failure) {
      if (signal.aborted || isLocked(failure)) return;
      if (failure instanceof KeyringError && failure.code === 'unasked') {
        rotations.hide(groupId);
        return;
      }
      const isUnsure = failure instanceof KeyringError && failure.code === 'members_unsure';
      rotations.show({
        groupId,
        state: isUnsure ? 'unsure' : 'failed',
        userIds: isUnsure ? failure.userIds : [],
      });
      present.failed += 1;
    }
  }

  async function work(present: Life) {
    present.running += 1;
    for (let next = present.waiting.shift(); next !== undefined; next = present.waiting.shift())
      await rotateOne(next, present);
    present.running -= 1;
    const { running, rotated, failed, stop } = present;
    if (running > 0 || rotated + failed === 0 || stop.signal.aborted) return;
    present.rotated = 0;
    present.failed = 0;
    tell({ rotated, failed });
  }

  function add(one: Waiting) {
    const isThere = life.waiting.some(({ groupId }) => groupId === one.groupId);
    if (!isThere) life.waiting.push(one);
    if (life.running < AT_ONCE) void work(life);
  }

  function rotateSoon(groupId: string, name?: string, isUnasked = false) {
    if (!keyring.isOpen()) return;
    rotations.show({ groupId, state: 'waiting', fraction: 0, ...(name === undefined ? {} : { name }) });
    add({ groupId, isQuiet: false, isUnasked });
  }

  async function look() {
    const { signal } = life.stop;
    const all = await http.call(groups.listAll, { signal });
    for (const { entry_group_id: groupId, name, role, origin, rotation_due, rotation_pending } of all) {
      if (role !== 'admin' || signal.aborted) continue;
      if (origin === 'server') rotations.show({ groupId, name, state: 'unconfirmed' });
      else if (rotation_due) rotateSoon(groupId, name, true);
      // Unfinished, or with values that do not open.
      else if (rotation_pending) add({ groupId, isQuiet: true, isUnasked: true });
    }
    await signUnproved(signal);
  }

  /** Adds key proofs to lists of release 1.0, slowly. Failures are left to another browser or admin. */
  async function signUnproved(signal: AbortSignal) {
    for (const groupId of await keyring.call('unproved', null)) {
      if (signal.aborted) return;
      await signAgain(groupId, { isUnasked: true }).catch(() => undefined);
      await pause(SIGNING_MS, signal);
    }
  }

  keyring.onLocked(() => {
    life.stop.abort();
    life.waiting.length = 0;
    life = newLife();
    rotations.clear();
  });
  return {
    rotateSoon: (groupId, name) => rotateSoon(groupId, name),
    watch() {
      keyring.onOpened(() => void look().catch(() => undefined));
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
