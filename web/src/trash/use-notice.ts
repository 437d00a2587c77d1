/** Says what was done, in a notice and in the activity log, and offers to take it back. */
import { useMemo } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { reasonOf } from '../lib/reason.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { GROUP_TEXTS as TEXTS } from '../texts/groups.ts';
import { toast } from '../ui/toast.ts';
import { useRefresh } from './use-refresh.ts';

interface Done {
  readonly text: string;
  /** The line of the activity log, where it has other words. */
  readonly log?: string;
}

interface TakingBack {
  readonly act: () => Promise<unknown>;
  /** What is said when it is done. */
  readonly text: string;
}

interface Notice {
  readonly done: (what: Done, undo: TakingBack | null) => void;
  /** Runs it now, refreshes what is on show, says how it went. @returns whether it was done */
  readonly takeBack: (undo: TakingBack) => Promise<boolean>;
  readonly failed: (text: string) => void;
}

export function useNotice(): Notice {
  const refresh = useRefresh();
  return useMemo(() => {
    const say = (text: string, log = text) => {
      activityLog.add(log);
      return text;
    };
    const failed = (text: string) => {
      activityLog.add(text, { isFailure: true });
      toast(text, { tone: 'danger' });
    };
    const takeBack = async ({ act, text }: TakingBack) => {
      try {
        await act();
        toast(say(text), { tone: 'success' });
        return true;
      } catch (failure) {
        if (!(failure instanceof EntryCancelled)) failed(TEXTS.undoFailed(reasonOf(failure)));
        return false;
      } finally {
        // Also after a refusal: what it was about is not what is on show.
        void refresh();
      }
    };
    return {
      done({ text, log }, undo) {
        say(text, log);
        const action = undo === null ? {} : { action: { label: TEXTS.undo, onPress: () => void takeBack(undo) } };
        toast(text, { tone: 'success', ...action });
      },
      takeBack,
      failed,
    };
  }, [refresh]);
}
