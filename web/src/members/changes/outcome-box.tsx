import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from '../table/members.module.css';
import type { Outcome, Skip } from './over-groups.ts';
import type { MemberActions } from './use-member-actions.ts';

export const SHOW_PROGRESS_MS = 1000;

/** Groups beyond this number are only counted. */
const NAMED = 8;
const SKIPS = Object.keys(TEXTS.skipped) as readonly Skip[];

interface Props {
  readonly outcome: Outcome;
  /** Tries again in the failed and remaining groups. */
  readonly onAgain: (groups: readonly NamedGroup[]) => void;
  readonly onDismiss: () => void;
}

/** Where a change in many groups failed and why. Empty if all succeeded. */
export function OutcomeBox({ outcome, onAgain, onDismiss }: Props) {
  const { failed, left } = outcome;
  const lines = linesOf(outcome);
  if (lines.length === 0) return null;
  const rest = [...failed.map(({ group }) => group), ...left];
  return (
    <div className={styles['problem']}>
      <MessageBox tone={failed.length > 0 ? 'danger' : 'info'} lines={lines}>
        <span className={styles['verbs']}>
          {rest.length > 0 && (
            <Button size="sm" onPress={() => onAgain(rest)}>
              {TEXTS.again}
            </Button>
          )}
          <Button size="sm" variant="ghost" onPress={onDismiss}>
            {TEXTS.close}
          </Button>
        </span>
      </MessageBox>
    </div>
  );
}

export function linesOf({ failed, skipped, left }: Outcome): readonly string[] {
  const named = failed.slice(0, NAMED).map(({ group, reason }) => TEXTS.failedWhere(group.title, reasonOf(reason)));
  const skips = SKIPS.flatMap((why) => {
    const count = skipped.filter((one) => one.why === why).length;
    return count === 0 ? [] : [TEXTS.skipped[why](count)];
  });
  return [
    ...(failed.length === 0 ? [] : [TEXTS.failedIn(failed.length), ...named]),
    ...(failed.length > NAMED ? [TEXTS.andMore(failed.length - NAMED)] : []),
    ...skips,
    ...(left.length === 0 ? [] : [TEXTS.stopped(left.length)]),
  ];
}

export function RunProgress({ running }: { readonly running: NonNullable<MemberActions['running']> }) {
  const { done, total } = running;
  return <ProgressBar label={TEXTS.working(done, total)} value={total > 1 ? (100 * done) / total : null} />;
}
