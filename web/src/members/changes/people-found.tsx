import type { KeyboardEvent, Ref } from 'react';
import { ROLES, type Role } from '@passwordbroker/core/domain/policy';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { RoleMark } from '../table/role-mark.tsx';
import styles from './add-member.module.css';
import type { AskedPerson } from '../keys/use-trust.tsx';

/** Page size of the server (docs/spec/product.md §9). */
const PAGE = 20;

interface Props {
  readonly people: readonly AskedPerson[];
  readonly addingId: string | null;
  readonly onAdd: (person: AskedPerson, role: Role) => void;
  /** Called on Up in the first row. */
  readonly onLeaveUp: () => void;
  readonly ref: Ref<HTMLDivElement>;
}

/** People found. Up and Down move between people, Left and Right between roles. */
export function PeopleFound({ people, addingId, onAdd, onLeaveUp, ref }: Props) {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: ROLES.length, ArrowUp: -ROLES.length, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    if (at + step < 0 && event.key === 'ArrowUp') onLeaveUp();
    else buttons[at + step]?.focus();
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
            <span className={styles['roles']}>
              {ROLES.map((role) => (
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
