/** Notices of this page, newest first (docs/spec/product.md §3, §9). In memory only, without secrets. */
import { useSyncExternalStore, useEffect, useRef } from 'react';
import { problemText } from '../fields/table/problem-text.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { UNDO_TEXTS as TEXTS } from '../texts/entries/trash-and-activity.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { reasonOf } from '@passwordbroker/client/transport/reason';

export const ACTIVITY_LOG_LENGTH = 21;

interface Activity {
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

/** Undoes an operation and returns the text to show. */
export type TakingBack = () => Promise<string>;

/** @param log line of the activity log, if it differs; null: not logged */
export function tellDone(text: string, undo: TakingBack | null = null, log: string | null = text): void {
  if (log !== null) activityLog.add(log);
  const action = undo === null ? {} : { action: { label: TEXTS.undo, onPress: () => void takeBack(undo) } };
  toast(text, { tone: 'success', ...action });
}

export function tellFailure(text: string): void {
  activityLog.add(text, { isFailure: true });
  toast(text, { tone: 'danger' });
}

/** Returns whether the undo succeeded. Shows nothing if the person closed the master password prompt. */
export async function takeBack(undo: TakingBack): Promise<boolean> {
  try {
    tellDone(await undo());
    return true;
  } catch (failure) {
    if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed(problemText(failure)));
    return false;
  }
}

/** Logs failures of suggestions, once for consecutive failures (docs/spec/product.md §8). */
export function useFailuresLogged(failure: Error | null, isSuccess: boolean, textOf: (reason: string) => string) {
  const isFailing = useRef(false);
  useEffect(() => {
    if (isSuccess) isFailing.current = false;
    if (failure === null || isFailing.current) return;
    isFailing.current = true;
    activityLog.add(textOf(reasonOf(failure)), { isFailure: true });
  }, [failure, isSuccess, textOf]);
}
