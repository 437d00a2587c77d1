/** A copy with opened pieces. Parses lazily: the trees are shown first, the rest takes longest. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type { OfflineDelta } from '@passwordbroker/core/contract/account/offline';
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import { CopyFaultError, jsonIn, type OpenedChain } from './copy-pieces.ts';
import { packInto, type PackedCopy } from './packed-copy.ts';
import { snapshotOf, type Snapshot } from './snapshot.ts';

/** Each read may throw CopyFaultError. */
export interface OpenedCopy {
  /** Unix seconds of the newest piece. */
  readonly timestamp: number;
  readonly trees: () => readonly TreeNode[];
  readonly data: () => PackedCopy;
  readonly snapshot: () => Snapshot;
}

/** Dropped once parsed. */
interface Unread {
  readonly whole: Bytes;
  readonly changes: readonly OfflineDelta[];
}

/**
 * @param chain checked when this client sealed it, so not checked again
 * @throws CopyFaultError
 */
export function openedCopy([whole, ...pieces]: OpenedChain): OpenedCopy {
  const { timestamp } = (pieces.at(-1) ?? whole).header;
  const changes = pieces.map(({ json }) => read<OfflineDelta>(json));
  const ahead = changes.findLast((change) => change.trees !== null)?.trees ?? whole.trees;
  let copy: PackedCopy | Unread = { whole: whole.json, changes };
  let snapshot: Snapshot | null = null;

  function data(): PackedCopy {
    if ('whole' in copy) copy = copy.changes.reduce(packInto, read<PackedCopy>(copy.whole));
    return copy;
  }
  return {
    timestamp,
    trees: () => ahead ?? data().trees,
    data,
    snapshot: () => (snapshot ??= snapshotOf(timestamp, data())),
  };
}

function read<T>(json: Bytes): T {
  try {
    return jsonIn(json) as T;
  } catch (cause) {
    throw new CopyFaultError('damaged', { cause });
  }
}
