import { useState, type ReactNode } from 'react';
import { useLate } from '../../groups/tree/use-late.ts';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { NamedGroup, Outcome } from './over-groups.ts';
import type { MemberActions } from './use-member-actions.ts';

export const SHOW_PROGRESS_MS = 1000;

interface Props {
  readonly title: string;
  readonly confirm: string;
  readonly confirming: string;
  readonly isDangerous?: boolean;
  readonly group: NamedGroup;
  /** Groups below this one where the caller is an admin. */
  readonly below: readonly NamedGroup[];
  readonly actions: Pick<MemberActions, 'running' | 'stop'>;
  readonly change: (groups: readonly NamedGroup[]) => Promise<Outcome>;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirms a change of a person's access, in this group or also in those below it. */
export function MemberChangeDialog(props: Props) {
  const {
    title,
    confirm,
    confirming,
    isDangerous = false,
    group,
    below,
    actions,
    change,
    onDone,
    onClose,
    children,
  } = props;
  const [isAlsoBelow, setAlsoBelow] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isLong = useLate(isBusy, SHOW_PROGRESS_MS);

  const run = async () => {
    setBusy(true);
    const outcome = await change(isAlsoBelow ? [group, ...below] : [group]);
    setBusy(false);
    // With no result, the person closed the master password prompt: nothing was done, the question stays.
    if (outcome.done.length + outcome.failed.length + outcome.skipped.length > 0) onDone(outcome);
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} onPress={isBusy ? actions.stop : onClose}>
            {isBusy ? TEXTS.stop : TEXTS.cancel}
          </Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            busy={isBusy}
            busyLabel={confirming}
            onPress={() => void run()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {below.length > 0 && (
        <Checkbox isSelected={isAlsoBelow} onChange={setAlsoBelow} isDisabled={isBusy}>
          {TEXTS.alsoBelow(below.length)}
        </Checkbox>
      )}
      {isLong && actions.running !== null && <RunProgress running={actions.running} />}
    </Dialog>
  );
}

export function RunProgress({ running }: { readonly running: NonNullable<MemberActions['running']> }) {
  const { done, total } = running;
  return <ProgressBar label={TEXTS.working(done, total)} value={total > 1 ? (100 * done) / total : null} />;
}
