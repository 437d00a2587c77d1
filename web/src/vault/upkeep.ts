/**
 * Rotations that nobody has to ask for (crypto.md §12): when the vault is opened, and after a removal. They run behind whatever the person does,
 * two groups at a time, and are seen in `Vault.rotations` and in the activity log.
 */
import * as groups from '@passwordbroker/core/contract/entry-groups';
import { KeyringError, isLocked } from '../keyring/keyring-error.ts';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';
import type { Rotate } from './online-rotation.ts';
import type { KeptRotations } from './rotations.ts';

export interface Upkeep {
  /** The key of this group is to be rotated. */
  readonly rotateSoon: (groupId: string, name?: string) => void;
  /** From now on every opening of the vault is followed by a look for what is due. */
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
  /** All that waited is done, or has failed. */
  readonly tell: (notice: UpkeepNotice) => void;
}

/** `isQuiet`: perhaps left half done by somebody; shown once there is something to do. */
interface Waiting {
  readonly groupId: string;
  readonly isQuiet: boolean;
}

/** From one opening of the vault to its lock: what is under way then is gone on with at the next one. */
const newLife = () => ({ stop: new AbortController(), waiting: [] as Waiting[], running: 0, rotated: 0, failed: 0 });
type Life = ReturnType<typeof newLife>;

const AT_ONCE = 2;

export function keepUp({ http, keyring, rotations, rotate, tell }: Parts): Upkeep {
  let life = newLife();

  async function rotateOne({ groupId, isQuiet }: Waiting, present: Life) {
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
      const { skipped } = await rotate(groupId, { signal, onProgress });
      if (!isSeen) return;
      show('done', 1, skipped);
      present.rotated += 1;
    } catch (failure) {
      if (signal.aborted || isLocked(failure)) return;
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

  function rotateSoon(groupId: string, name?: string) {
    // Locked, it is found to be due at the next opening.
    if (!keyring.isOpen()) return;
    rotations.show({ groupId, state: 'waiting', fraction: 0, ...(name === undefined ? {} : { name }) });
    add({ groupId, isQuiet: false });
  }

  async function look() {
    const { signal } = life.stop;
    const all = await http.call(groups.listAll, { signal });
    for (const { entry_group_id: groupId, name, role, origin, rotation_due, rotation_pending } of all) {
      if (role !== 'admin' || signal.aborted) continue;
      if (origin === 'server') rotations.show({ groupId, name, state: 'unconfirmed' });
      else if (rotation_due) rotateSoon(groupId, name);
      // Left half done by somebody, or with values in it that nobody can open.
      else if (rotation_pending) add({ groupId, isQuiet: true });
    }
  }

  keyring.onLocked(() => {
    life.stop.abort();
    life.waiting.length = 0;
    life = newLife();
    rotations.clear();
  });
  return {
    rotateSoon,
    watch() {
      // Where the look fails nothing is lost: the next opening looks again.
      keyring.onOpened(() => void look().catch(() => undefined));
    },
  };
}
