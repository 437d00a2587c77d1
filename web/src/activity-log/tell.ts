/** Shows the result of an operation as a notice and in the activity log, with Undo where possible. */
import { problemText } from '../fields/table/problem-text.ts';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { UNDO_TEXTS as TEXTS } from '../texts/entries/trash.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { activityLog } from './activity-log.ts';

/** Undoes an operation and returns the text to show. */
export type TakingBack = () => Promise<string>;

/** @param log line of the activity log, if it differs; null if it is logged already */
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
    if (!(failure instanceof EntryCancelled)) tellFailure(TEXTS.failed(problemText(failure)));
    return false;
  }
}
