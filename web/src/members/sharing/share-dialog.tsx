import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import type { Act } from '@passwordbroker/core/contract/groups/access';
import { type Role, ROLES } from '@passwordbroker/core/domain/policy';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { PreviewLine } from '../../access/preview-line.tsx';
import { useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { usePeople } from '../changes/add-member.tsx';
import { ServiceMark } from '../../service-accounts/open-services.tsx';
import type { AskedPerson } from '../keys/use-trust.tsx';
import { RoleChoice } from './role-choice.tsx';
import { ShareFrame } from './share-frame.tsx';
import styles from './sharing.module.css';
import { rolesFor, type Sharing, useSharing } from './use-sharing.ts';

interface Props {
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Shares a group with several people in one role (docs/spec/product.md §2). */
export function ShareDialog({ group, below, write, onClose }: Props) {
  const [attachSearch, focusSearch] = useFirstFocus();
  const [role, setRole] = useState<Role>('member');
  const [isAlsoBelow, setAlsoBelow] = useState(false);
  const into = useMemo(
    () => (isAlsoBelow ? [group, ...below] : [group]).map(({ id, title }) => ({ id, title, role })),
    [isAlsoBelow, group, below, role],
  );
  const sharing = useSharing(group.id, into, write);
  const { people } = sharing;
  const areServices = people.length > 0 && people.every(({ person }) => person.kind === 'service');
  const roles = areServices ? rolesFor({ kind: 'service' }) : ROLES;
  const shownRole = roles.find((one) => one === role) ?? 'member';
  return (
    <ShareFrame
      title={TEXTS.shareLabel(group.title)}
      doneText={TEXTS.progress(people.length, people.length)}
      sharing={sharing}
      before={
        <PeopleSearch
          groupId={group.id}
          isChosen={({ userId }) => people.some(({ person }) => person.userId === userId)}
          attach={attachSearch}
          onChoose={(person) => {
            void sharing.choose(person);
            focusSearch();
          }}
        />
      }
      after={
        <>
          <RoleChoice role={shownRole} roles={roles} onChange={setRole} />
          <p className={styles['hint']}>{MEMBER_TEXTS.roleMeans[shownRole](TEXTS.they)}</p>
          {below.length > 0 && (
            <Checkbox isSelected={isAlsoBelow} onChange={setAlsoBelow}>
              {MEMBER_TEXTS.alsoBelow(below.length)}
            </Checkbox>
          )}
          <PreviewLine act={actOf(people, shownRole, into)} />
        </>
      }
      onDrop={({ userId }) => {
        sharing.remove(userId);
        focusSearch();
      }}
      onClose={onClose}
    />
  );
}

/** Null until somebody with keys is chosen. */
function actOf(people: Sharing['people'], role: Role, into: readonly { readonly id: string }[]): Act | null {
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
                {person.kind === 'service' && <ServiceMark />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
