import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import type { Act } from '@passwordbroker/core/contract/groups/access';
import { ROLES } from '@passwordbroker/core/domain/policy';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { PreviewLine } from '../../access/preview-line.tsx';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { usePeople } from '../changes/add-member.tsx';
import type { AskedPerson } from '../keys/use-trust.tsx';
import { RoleMark } from '../table/role-mark.tsx';
import styles from './sharing.module.css';
import { ShareeRow } from './sharee-row.tsx';
import { needOf, useSharing } from './use-sharing.ts';

interface Props {
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Shares a group with several people in one role (docs/spec/product.md §2). Stays open until all are done. */
export function ShareDialog({ group, below, write, onClose }: Props) {
  const [attachSearch, focusSearch] = useFirstFocus();
  const sharing = useSharing(group, below, write);
  const { people, role, isRunning, hasBegun, isStrict, whyNot } = sharing;
  const done = people.filter(({ state }) => state === 'done').length;
  const isComplete = people.length > 0 && done === people.length;
  const needs = people.filter(({ state }) => state !== 'done').map((one) => needOf(one, isStrict));
  const isLater = needs.includes('may compare');

  const isClean = isComplete && people.every(({ lines }) => lines.length === 0);
  useEffect(() => {
    if (!isClean || isRunning) return;
    toast(TEXTS.progress(people.length, people.length), { tone: 'success' });
    onClose();
  }, [isClean, isRunning, people.length, onClose]);

  return (
    <Dialog
      title={TEXTS.shareLabel(group.title)}
      size="md"
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
      {!hasBegun && (
        <PeopleSearch
          groupId={group.id}
          isChosen={({ userId }) => people.some(({ person }) => person.userId === userId)}
          attach={attachSearch}
          onChoose={(person) => {
            void sharing.choose(person);
            focusSearch();
          }}
        />
      )}
      {people.length > 0 && (
        <ul className={styles['people']} aria-label={TEXTS.chosen}>
          {people.map((one) => (
            <ShareeRow
              key={one.person.userId}
              sharee={one}
              need={needOf(one, isStrict)}
              isRunning={isRunning}
              running={sharing.running}
              onDrop={() => {
                sharing.remove(one.person.userId);
                focusSearch();
              }}
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
      {!hasBegun && (
        <>
          <SegmentedRadio
            label={TEXTS.role}
            value={role}
            onChange={sharing.setRole}
            options={ROLES.map((one) => ({
              value: one,
              label: GROUP_TEXTS.roles[one],
              icon: (
                <span className={styles['mark']} data-role={one}>
                  <RoleMark role={one} />
                </span>
              ),
            }))}
          />
          <p className={styles['hint']}>{MEMBER_TEXTS.roleMeans[role](TEXTS.they)}</p>
          {below.length > 0 && (
            <Checkbox isSelected={sharing.isAlsoBelow} onChange={sharing.setAlsoBelow}>
              {MEMBER_TEXTS.alsoBelow(below.length)}
            </Checkbox>
          )}
          <PreviewLine act={actOf(sharing)} />
        </>
      )}
    </Dialog>
  );
}

/** Null until somebody with keys is chosen. */
function actOf({ people, role, into }: Pick<ReturnType<typeof useSharing>, 'people' | 'role' | 'into'>): Act | null {
  const withKeys = people.filter(({ trust }) => trust !== null && trust.state !== 'none');
  if (withKeys.length === 0) return null;
  const user_ids = withKeys.map(({ person }) => person.userId);
  return { kind: 'add-user', entry_group_ids: into.map(({ id }) => id), user_ids, role };
}

interface PeopleSearchProps {
  readonly groupId: string;
  readonly isChosen: (person: AskedPerson) => boolean;
  readonly attach: (input: HTMLElement | null) => void;
  readonly onChoose: (person: AskedPerson) => void;
}

/** Down goes to the people found; Enter in the search chooses the first of them. */
function PeopleSearch({ groupId, isChosen, attach, onChoose }: PeopleSearchProps) {
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const { people, isSearching } = usePeople(typed, groupId);
  const found: readonly AskedPerson[] = people?.filter((person) => !isChosen(person)) ?? [];

  const choose = (person: AskedPerson) => {
    setTyped('');
    onChoose(person);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'Enter' && at < 0 && found[0] !== undefined) {
      event.preventDefault();
      choose(found[0]);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || buttons.length === 0) return;
    event.preventDefault();
    if (at + step < 0) event.currentTarget.querySelector('input')?.focus();
    else buttons[at + step]?.focus();
  };
  return (
    <div className={styles['search']} role="presentation" onKeyDown={press}>
      <TextField
        label={TEXTS.search}
        hint={MEMBER_TEXTS.addHint}
        value={typed}
        onChange={setTyped}
        ref={attach}
        type="text"
        autoComplete="off"
        maxLength={255}
        start={<Search size={16} aria-hidden="true" />}
        {...(isSearching ? { end: <Spinner /> } : {})}
      />
      <p className="visually-hidden" role="status">
        {found.length > 0 && MEMBER_TEXTS.foundCount(found.length)}
        {isSearching && MEMBER_TEXTS.searching}
      </p>
      {people !== null && found.length === 0 && <p className={styles['hint']}>{MEMBER_TEXTS.nobody}</p>}
      {found.length > 0 && (
        <ul className={styles['found']} aria-label={MEMBER_TEXTS.found} ref={list}>
          {found.map((person) => (
            <li key={person.userId}>
              <button
                type="button"
                className={styles['choice']}
                aria-label={TEXTS.choose(person.name)}
                onClick={() => choose(person)}
              >
                <PersonInitials name={person.name} />
                <span className={styles['name']}>
                  {person.name}
                  {typeof person.email === 'string' && <span className={styles['email']}>{person.email}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
