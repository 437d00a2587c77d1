import { Check, RefreshCw, TriangleAlert, X } from 'lucide-react';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { ServiceMark } from '../../service-accounts/open-services.tsx';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { RunProgress } from '../changes/outcome-box.tsx';
import type { Running } from '../changes/use-member-actions.ts';
import { WordList } from '../keys/key-words.tsx';
import keyStyles from '../keys/key-words.module.css';
import styles from './sharing.module.css';
import type { Need, Sharee } from './use-sharing.ts';

interface Props {
  readonly sharee: Sharee;
  readonly need: Need;
  readonly isRunning: boolean;
  readonly running: Running | null;
  /** Null if the person is fixed. */
  readonly onDrop: (() => void) | null;
  readonly onCompared: () => void;
  readonly onLookUp: () => void;
}

/** A chosen person: the words to compare before the run, then how it went. */
export function ShareeRow({ sharee, need, isRunning, running, onDrop, onCompared, onLookUp }: Props) {
  const { person, trust, state, lines } = sharee;
  const { name, email } = person;
  const isAsked = (need === 'may compare' || need === 'must compare') && state !== 'done';
  return (
    <li className={styles['sharee']} aria-busy={state === 'sharing' || undefined}>
      <div className={styles['line']}>
        <PersonInitials name={name} />
        <span className={styles['name']}>
          {name}
          {typeof email === 'string' && <span className={styles['email']}>{email}</span>}
        </span>
        {person.kind === 'service' && (
          <>
            <ServiceMark />
            {/* Whatever is chosen for the others. */}
            <span className={styles['state']}>{GROUP_TEXTS.roles.member}</span>
          </>
        )}
        <State sharee={sharee} need={need} isRunning={isRunning} />
        {trust === null && state === 'failed' && (
          <IconButton
            label={TEXTS.lookUpAgain(name)}
            icon={<RefreshCw size={16} />}
            isDisabled={isRunning}
            onPress={onLookUp}
          />
        )}
        {state !== 'done' && onDrop !== null && (
          <IconButton label={TEXTS.drop(name)} icon={<X size={16} />} isDisabled={isRunning} onPress={onDrop} />
        )}
      </div>
      {isAsked && trust !== null && trust.state !== 'none' && (
        <div className={styles['words']}>
          {trust.state === 'changed' ? (
            <>
              <p className={styles['lines']}>{TRUST_TEXTS.changedText(name)}</p>
              <div className={keyStyles['pair']}>
                <WordList title={TRUST_TEXTS.wordsBefore} words={trust.pinned.words} />
                <WordList title={TRUST_TEXTS.wordsNow} words={trust.current.words} unlike={trust.pinned.words} />
              </div>
            </>
          ) : (
            <ol className={styles['inline']} aria-label={TRUST_TEXTS.wordsOf(name)}>
              {trust.current.words.map((word, at) => (
                <li key={`${at}-${word}`}>{word}</li>
              ))}
            </ol>
          )}
          <Button size="sm" label={`${TRUST_TEXTS.compared}: ${name}`} isDisabled={isRunning} onPress={onCompared}>
            {TRUST_TEXTS.compared}
          </Button>
        </div>
      )}
      {need === 'keys' && <p className={styles['lines']}>{MEMBER_TEXTS.noKeys(name)}</p>}
      {trust?.state === 'trusted' && trust.renewed && <p className={styles['lines']}>{TRUST_TEXTS.renewed(name)}</p>}
      {trust?.state === 'trusted' && trust.formerName !== null && (
        <p className={styles['lines']}>{TRUST_TEXTS.renamed(name, trust.formerName)}</p>
      )}
      {state === 'sharing' && running !== null && running.total > 1 && <RunProgress running={running} />}
      {lines.map((line) => (
        <p key={line} className={styles['lines']} role={state === 'failed' ? 'alert' : undefined}>
          {line}
        </p>
      ))}
    </li>
  );
}

function State({ sharee: { trust, state }, need, isRunning }: Pick<Props, 'sharee' | 'need' | 'isRunning'>) {
  if (state === 'sharing' || (trust === null && state === 'chosen')) {
    return (
      <span className={styles['state']} role="status">
        <Spinner /> {state === 'sharing' ? TEXTS.sharing : TEXTS.lookingUp}
      </span>
    );
  }
  if (trust !== null && (state === 'done' || state === 'failed')) {
    const Icon = state === 'done' ? Check : TriangleAlert;
    return (
      <span className={styles['state']} data-state={state}>
        <Icon size={14} aria-hidden="true" /> {TEXTS[state]}
      </span>
    );
  }
  if (isRunning) return <span className={styles['state']}>{TEXTS.waiting}</span>;
  if (trust === null || need === 'nothing') return null;
  const known = trust.state === 'trusted' ? 'for now' : trust.state;
  return <span className={styles['state']}>{TRUST_TEXTS.states[known]}</span>;
}
