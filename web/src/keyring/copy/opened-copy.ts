/** A copy whose pieces are open. Nine tenths of the time that reading it takes go to what lies behind its trees, which are shown first. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type { OfflineDelta } from '@passwordbroker/core/contract/offline';
import { jsonIn, type OpenedPiece, type PieceHeader } from './copy-pieces.ts';
import { packInto, type PackedCopy, type PackedGroups } from './packed-copy.ts';
import { snapshotOf, type Snapshot } from './snapshot.ts';

export interface OpenedCopy {
  /** The newest piece. */
  readonly head: PieceHeader;
  readonly trees: readonly TreeNode[];
  /** Read when it is first asked for. */
  readonly data: () => PackedCopy;
  readonly snapshot: () => Snapshot;
}

/** @param chain as `openChain` found it: a whole copy and its changes. Sealed by this client after they had been checked, so they are not checked again. */
export function openedCopy([whole, ...pieces]: readonly [OpenedPiece, ...OpenedPiece[]]): OpenedCopy {
  const changes = pieces.map(({ json }) => jsonIn(json) as OfflineDelta);
  const { trees } = whole.header;
  let data: PackedCopy | null = null;
  let snapshot: Snapshot | null = null;
  const head = pieces.at(-1)?.header ?? whole.header;
  const opened: OpenedCopy = {
    head,
    trees: changes.findLast((change) => change.trees !== null)?.trees ?? trees ?? [],
    data: () => (data ??= changes.reduce(packInto, { ...(jsonIn(whole.json) as PackedGroups), trees: trees ?? [] })),
    snapshot: () => (snapshot ??= snapshotOf(head.timestamp, opened.data())),
  };
  return opened;
}
