import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { type KeyboardEvent, useMemo, useRef, useState, type Ref } from 'react';
import { Search } from 'lucide-react';
import type { Role } from '@passwordbroker/core/domain/policy';
import { useQuery } from '@tanstack/react-query';
import { useLate } from '../../groups/tree/use-late.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { useFailuresLogged } from '../../activity-log/activity-log.ts';
import { useSettled } from '../../lib/loading.ts';
import { useVault } from '../../vault/use-vault.ts';
import { type AskedPerson, useTrust } from '../keys/use-trust.tsx';
import { RunProgress, SHOW_PROGRESS_MS } from './outcome-box.tsx';
import styles from './add-member.module.css';
import type { Outcome } from './over-groups.ts';
import type { MemberActions } from './use-member-actions.ts';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { rolesFor } from '../sharing/use-sharing.ts';
import { ServiceMark } from '../../service-accounts/open-services.tsx';
import { RoleMark } from '../table/role-mark.tsx';

interface Props {
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly actions: MemberActions;
  readonly onDone: (outcome: Outcome, again: (groups: readonly NamedGroup[]) => Promise<Outcome>) => void;
}

/** Searches people by name and adds one (docs/spec/product.md §2, §5), whose key is confirmed first. */
export function AddMember({ group, below, actions, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const found = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [isAlsoBelow, setAlsoBelow] = useState(false);
  const [adding, setAdding] = useState<AskedPerson | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { people, isSearching } = usePeople(typed, group.id);
  const trust = useTrust();
  const isLong = useLate(actions.running !== null && adding !== null, SHOW_PROGRESS_MS);

  const add = async (person: AskedPerson, role: Role) => {
    if (adding !== null) return;
    setProblem(null);
    setAdding(person);
    try {
      const into = isAlsoBelow ? [group, ...below] : [group];
      const fingerprint = await trust.confirmed(person, () => actions.prepare(into));
      if (fingerprint === null) return;
      const again = (groups: readonly NamedGroup[]) => actions.add({ ...person, fingerprint }, role, groups);
      const outcome = await again(into);
      onDone(outcome, again);
      if (outcome.done.length === 0) return;
      setTyped('');
      input.current?.focus();
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(reasonOf(failure));
    } finally {
      setAdding(null);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      setTyped('');
      input.current?.focus();
    }
    if (event.key === 'ArrowDown' && event.target === input.current) {
      event.preventDefault();
      found.current?.querySelector('button')?.focus();
    }
  };
  return (
    <div className={styles['add']} role="presentation" onKeyDown={press}>
      <TextField
        label={TEXTS.addNew}
        hint={TEXTS.addHint}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setProblem(null);
        }}
        ref={input}
        type="text"
        autoComplete="off"
        maxLength={255}
        start={<Search size={16} aria-hidden="true" />}
        {...(isSearching ? { end: <Spinner /> } : {})}
      />
      {below.length > 0 && (
        <Checkbox isSelected={isAlsoBelow} onChange={setAlsoBelow} isDisabled={adding !== null}>
          {TEXTS.alsoBelow(below.length)}
        </Checkbox>
      )}
      <p className="visually-hidden" role="status">
        {people !== null && people.length > 0 && TEXTS.foundCount(people.length)}
        {isSearching && TEXTS.searching}
      </p>
      {people?.length === 0 && <p className={styles['none']}>{TEXTS.nobody}</p>}
      {people !== null && people.length > 0 && (
        <PeopleFound
          ref={found}
          people={people}
          addingId={adding?.userId ?? null}
          onAdd={(person, role) => void add(person, role)}
          onLeaveUp={() => input.current?.focus()}
        />
      )}
      {isLong && actions.running !== null && (
        <div className={styles['progress']}>
          <RunProgress running={actions.running} />
          <Button size="sm" onPress={actions.stop}>
            {TEXTS.stop}
          </Button>
        </div>
      )}
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {trust.dialog}
    </div>
  );
}

const DEBOUNCE_MS = 500;

/**
 * People who are not in the group. Searches half a second after the last key (docs/spec/product.md §5). Only
 * logs failures.
 */
export function usePeople(typed: string, groupId: string) {
  const vault = useVault();
  const words = typed.trim();
  const asked = useSettled(words, DEBOUNCE_MS);
  const { data, error, isSuccess, isFetching } = useQuery({
    queryKey: [vault.mode, 'people', groupId, asked],
    queryFn: ({ signal }) => vault.read.people(asked, groupId, signal),
    enabled: asked !== '',
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  useFailuresLogged(error, isSuccess, TEXTS.searchFailed);
  const isSettled = asked === words && !isFetching;
  const people = useMemo(() => data?.map(({ user_id: userId, ...rest }) => ({ userId, ...rest })) ?? null, [data]);
  return {
    /** null while there is no text or no result yet. */
    people: words !== '' && isSettled ? people : null,
    isSearching: words !== '' && !isSettled,
  };
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Page size of the server (docs/spec/product.md §9). */
const PAGE = 20;

interface PeopleFoundProps {
  readonly people: readonly AskedPerson[];
  readonly addingId: string | null;
  readonly onAdd: (person: AskedPerson, role: Role) => void;
  /** Called on Up in the first row. */
  readonly onLeaveUp: () => void;
  readonly ref: Ref<HTMLDivElement>;
}

/** People found. Up and Down move between people, Left and Right between roles. */
function PeopleFound({ people, addingId, onAdd, onLeaveUp, ref }: PeopleFoundProps) {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...event.currentTarget.querySelectorAll('li')].map((row) => [...row.querySelectorAll('button')]);
    const pressed = document.activeElement as HTMLButtonElement;
    const row = rows.findIndex((buttons) => buttons.includes(pressed));
    const at = rows[row]?.indexOf(pressed) ?? 0;
    const step = STEPS[event.key];
    if (row < 0 || step === undefined) return;
    event.preventDefault();
    const [down, right] = step;
    if (row + down < 0) onLeaveUp();
    const next = rows[row + down] ?? [];
    // A service account has one role.
    if (down !== 0) next[Math.min(at, next.length - 1)]?.focus();
    else rows.flat()[rows.flat().indexOf(pressed) + right]?.focus();
  };
  return (
    <div className={styles['found']} ref={ref} role="presentation" onKeyDown={walk}>
      <ul aria-label={TEXTS.found}>
        {people.map((person) => (
          <li key={person.userId} className={styles['person']} aria-busy={addingId === person.userId || undefined}>
            <PersonInitials name={person.name} />
            <span className={styles['name']}>
              {person.name}
              {typeof person.email === 'string' && <span className={styles['email']}>{person.email}</span>}
            </span>
            {person.kind === 'service' && <ServiceMark />}
            <span className={styles['roles']}>
              {rolesFor(person).map((role) => (
                <Button
                  key={role}
                  size="sm"
                  label={TEXTS.addLabel(person.name, GROUP_TEXTS.roles[role])}
                  isDisabled={addingId !== null}
                  icon={
                    <span className={styles['mark']} data-role={role}>
                      <RoleMark role={role} />
                    </span>
                  }
                  onPress={() => onAdd(person, role)}
                >
                  {TEXTS.addAs(GROUP_TEXTS.roles[role])}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {people.length >= PAGE && <p className={styles['more']}>{TEXTS.foundMore(people.length)}</p>}
    </div>
  );
}
