/**
 * Notices of this page, newest first, at most 21 (docs/spec/product.md §3, §9). In memory only, without
 * secrets.
 */
import { useSyncExternalStore } from 'react';

export const ACTIVITY_LOG_LENGTH = 21;

export interface Activity {
  readonly id: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly body: string;
  readonly isFailure: boolean;
}

export function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

export function createActivityLog(now: () => number = Date.now) {
  let entries: readonly Activity[] = [];
  let lastId = 0;
  let isClosed = false;
  const listeners = new Set<() => void>();
  const replace = (next: readonly Activity[]) => {
    entries = next;
    for (const listener of listeners) listener();
  };
  return {
    list: () => entries,
    add(body: string, { isFailure = false }: { readonly isFailure?: boolean } = {}) {
      if (isClosed) return;
      lastId += 1;
      replace([{ id: lastId, at: now(), body, isFailure }, ...entries].slice(0, ACTIVITY_LOG_LENGTH));
    },
    /** At logout: empties the log and ignores later notices, so that the next person sees nothing. */
    close() {
      isClosed = true;
      replace([]);
    },
    open() {
      isClosed = false;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type ActivityLog = ReturnType<typeof createActivityLog>;

export const activityLog: ActivityLog = createActivityLog();

export function useActivityLog(log: ActivityLog = activityLog): readonly Activity[] {
  return useSyncExternalStore(log.subscribe, log.list);
}
