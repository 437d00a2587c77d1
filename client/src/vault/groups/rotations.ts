import type { Rotation, Rotations } from './people.ts';

export interface KeptRotations extends Rotations {
  /** Adds the group or updates it. */
  show(rotation: Pick<Rotation, 'groupId'> & Partial<Rotation>): void;
  hide(groupId: string): void;
  clear(): void;
}

const UNKNOWN = { name: '', state: 'waiting', fraction: 0, skipped: 0, userIds: [] } as const;

export function keepRotations(): KeptRotations {
  let rows: readonly Rotation[] = [];
  const listeners = new Set<() => void>();
  const replace = (next: readonly Rotation[]) => {
    rows = next;
    for (const listener of listeners) listener();
  };
  return {
    list: () => rows,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show(rotation) {
      const known = rows.find(({ groupId }) => groupId === rotation.groupId);
      const next = { ...UNKNOWN, ...known, ...rotation };
      replace(known === undefined ? [...rows, next] : rows.map((row) => (row === known ? next : row)));
    },
    hide: (groupId) => replace(rows.filter((row) => row.groupId !== groupId)),
    clear: () => replace([]),
  };
}
