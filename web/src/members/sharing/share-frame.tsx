import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import type { AskedPerson } from '../keys/use-trust.tsx';
import { RoleMark } from '../table/role-mark.tsx';
import { ShareeRow } from './sharee-row.tsx';
import styles from './sharing.module.css';
import { type GroupInRole, needOf, type Sharing } from './use-sharing.ts';

interface Props {
  readonly title: string;
  readonly doneText: string;
  readonly sharing: Sharing;
  /** Above and below the people, until the first of them is shared with. */
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Null if the people are fixed. */
  readonly onDrop: ((person: AskedPerson) => void) | null;
  readonly onClose: () => void;
}

/** The people, the words to compare and the progress. Stays open until all are done. */
export function ShareFrame({ title, doneText, sharing, before, after, onDrop, onClose }: Props) {
  const { people, isRunning, hasBegun, isStrict, whyNot } = sharing;
  const done = people.filter(({ state }) => state === 'done').length;
  const isComplete = people.length > 0 && done === people.length;
  const needs = people.filter(({ state }) => state !== 'done').map((one) => needOf(one, isStrict));
  const isLater = needs.includes('may compare');

  const isClean = isComplete && people.every(({ lines }) => lines.length === 0);
  useEffect(() => {
    if (!isClean || isRunning) return;
    toast(doneText, { tone: 'success' });
    onClose();
  }, [isClean, isRunning, doneText, onClose]);

  return (
    <Dialog
      title={title}
      size="md"
      isTall
      onClose={onClose}
      isBusy={isRunning}
      footer={
        isRunning ? (
          <Button onPress={sharing.stop}>{TEXTS.stop}</Button>
        ) : (
          <>
            <Button variant="ghost" onPress={onClose}>
              {done > 0 ? TEXTS.close : TEXTS.cancel}
            </Button>
            {!isComplete && (
              <Button variant="primary" whyNot={whyNot} onPress={() => void sharing.share()}>
                {hasBegun ? TEXTS.again : isLater ? TEXTS.later : TEXTS.now}
              </Button>
            )}
          </>
        )
      }
    >
      {!hasBegun && before}
      {people.length > 0 && (
        <ul className={styles['people']} aria-label={TEXTS.chosen}>
          {people.map((one) => (
            <ShareeRow
              key={one.person.userId}
              sharee={one}
              need={needOf(one, isStrict)}
              isRunning={isRunning}
              running={sharing.running}
              onDrop={onDrop === null ? null : () => onDrop(one.person)}
              onCompared={() => void sharing.compared(one)}
              onLookUp={() => void sharing.lookUp(one.person)}
            />
          ))}
        </ul>
      )}
      {!hasBegun && (isLater || needs.includes('must compare')) && (
        <p className={styles['hint']}>
          {TEXTS.compareText} {isStrict ? TEXTS.strictText : isLater ? TEXTS.laterText : ''}
        </p>
      )}
      {hasBegun && <ProgressBar label={TEXTS.progress(done, people.length)} value={(100 * done) / people.length} />}
      {!hasBegun && after}
    </Dialog>
  );
}

/** Chooses the only person of a dialog at its start. @param onClose if the person cannot be chosen */
export function useFixedPerson(sharing: Sharing, person: AskedPerson, onClose: () => void): void {
  const isChosen = useRef(false);
  useEffect(() => {
    if (isChosen.current) return;
    isChosen.current = true;
    void sharing.choose(person).then((isOpen) => isOpen || onClose());
  }, [sharing, person, onClose]);
}

/** The groups that are shared, each in its role. */
export function GroupsInRoles({ label, groups }: { readonly label: string; readonly groups: readonly GroupInRole[] }) {
  return (
    <ul className={styles['people']} aria-label={label}>
      {groups.map(({ id, title, role }) => (
        <li key={id} className={styles['sharee']}>
          <div className={styles['line']}>
            <span className={styles['name']}>{title}</span>
            <span className={styles['state']}>
              <span className={styles['mark']} data-role={role}>
                <RoleMark role={role} />
              </span>
              {GROUP_TEXTS.roles[role]}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
