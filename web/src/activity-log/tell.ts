/** What an act came to, in a notice and in the activity log; where it can be taken back, the notice offers that. */
import { problemText } from '../fields/table/problem-text.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { UNDO_TEXTS as TEXTS } from '../texts/undo.ts';
import { toast } from '../ui/toast.ts';
import { activityLog } from './activity-log.ts';

/** Takes an act back. @returns what is said when it is done */
export type TakingBack = () => Promise<string>;

/** @param log the line of the activity log, where it has other words; null where it has been told there */
export function tellDone(text: string, undo: TakingBack | null = null, log: string | null = text): void {
  if (log !== null) activityLog.add(log);
  const action = undo === null ? {} : { action: { label: TEXTS.undo, onPress: () => void takeBack(undo) } };
  toast(text, { tone: 'success', ...action });
}

export function tellFailure(text: string): void {
  activityLog.add(text, { isFailure: true });
  toast(text, { tone: 'danger' });
}

/** Takes it back now and says how that went; nothing, when the master password was not given. @returns whether it was done */
export async function takeBack(undo: TakingBack): Promise<boolean> {
  try {
    tellDone(await undo());
    return true;
  } catch (failure) {
    if (!(failure instanceof EntryCancelled)) tellFailure(TEXTS.failed(problemText(failure)));
    return false;
  }
}
