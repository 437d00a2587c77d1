import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import type { KeyState } from '@passwordbroker/client/vault/groups/people';
import styles from './members.module.css';
import {
  Check,
  ChevronDown,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestionMark,
  TriangleAlert,
  UserMinus,
} from 'lucide-react';
import { ROLES, type Role } from '@passwordbroker/core/domain/policy';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { formatTime } from '../../lib/format.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { RoleMark, RoleLabel } from './role-mark.tsx';
import { ServiceMark } from '../../service-accounts/open-services.tsx';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import keyStateStyles from './key-state.module.css';

interface Props {
  readonly users: readonly GroupUser[];
  readonly selfId: string;
  /** By user id; without an entry until known. */
  readonly keyStates: ReadonlyMap<string, KeyState>;
  /** What the signed list says instead, by user id. */
  readonly differences: ReadonlyMap<string, string>;
  readonly onLook: (user: GroupUser) => void;
  /** null without the column, which only admins have. */
  readonly verbs: MemberVerbs | null;
}

export function MembersTable({ users, selfId, keyStates, differences, onLook, verbs }: Props) {
  const { user, role, since, remove } = TEXTS.columns;
  const columns = verbs === null ? [user, role, since] : [user, role, since, remove];
  return (
    <div className={styles['table']} role="table" aria-label={TEXTS.table} data-verbs={verbs !== null || undefined}>
      <div role="rowgroup">
        <div className={`${styles['row']} ${styles['head']}`} role="row">
          {columns.map((name) => (
            <div key={name} role="columnheader">
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {users.map((one) => (
          <MemberRow
            key={one.user_id}
            user={one}
            isSelf={one.user_id === selfId}
            keyState={keyStates.get(one.user_id) ?? null}
            difference={differences.get(one.user_id) ?? null}
            onLook={onLook}
            verbs={verbs}
          />
        ))}
      </div>
    </div>
  );
}

export interface MemberVerbs {
  /** Why no role can be changed now, or null. */
  readonly whyNotRole: string | null;
  readonly onRole: (user: GroupUser, role: Role) => void;
  readonly onRemove: (user: GroupUser) => void;
}

interface MemberRowProps {
  readonly user: GroupUser;
  readonly isSelf: boolean;
  readonly keyState: KeyState | null;
  readonly difference: string | null;
  readonly onLook: (user: GroupUser) => void;
  readonly verbs: MemberVerbs | null;
}

/** One member. Admins can change all others but other admins (docs/spec/product.md §6). */
function MemberRow({ user, isSelf, keyState, difference, onLook, verbs }: MemberRowProps) {
  const { name, kind, owner_name: ownerName } = user.user;
  const canBeRemoved = !isSelf && user.role !== 'admin';
  return (
    <div className={styles['row']} role="row">
      <div className={styles['user']} role="cell">
        <PersonInitials name={name} />
        <span className={styles['name']}>
          {name}
          {isSelf && <span className={styles['you']}> {TEXTS.you}</span>}
        </span>
        {kind === 'service' && <ServiceMark ownerName={ownerName} />}
        {keyState !== null && !isSelf && <KeyStateMark name={name} state={keyState} onLook={() => onLook(user)} />}
        {difference !== null && (
          <span className={styles['difference']}>
            <TriangleAlert size={14} aria-hidden="true" />
            {difference}
          </span>
        )}
      </div>
      <div className={styles['role']} role="cell">
        {verbs === null || isSelf || kind === 'service' ? (
          <RoleLabel role={user.role} />
        ) : (
          <RoleMenu user={user} verbs={verbs} />
        )}
      </div>
      <div className={styles['since']} role="cell">
        {formatTime(user.updated_at)}
      </div>
      {verbs !== null && (
        <div className={styles['verb']} role="cell">
          {canBeRemoved ? (
            <IconButton
              label={TEXTS.remove(name)}
              icon={<UserMinus size={16} />}
              tone="danger"
              align="end"
              onPress={() => verbs.onRemove(user)}
            />
          ) : (
            <>
              <span aria-hidden="true">–</span>
              <span className="visually-hidden">{TEXTS.noRemove}</span>
            </>
          )}
        </div>
      )}
    </div>
  );
}

function RoleMenu({ user, verbs }: { readonly user: GroupUser; readonly verbs: MemberVerbs }) {
  const items = ROLES.map((role) => {
    const title = GROUP_TEXTS.roles[role];
    const isNow = role === user.role;
    return {
      label: isNow ? TEXTS.isNow(title) : TEXTS.changeTo(title),
      icon: isNow ? (
        <Check size={16} />
      ) : (
        <span className={styles['menuIcon']} data-role={role}>
          <RoleMark role={role} />
        </span>
      ),
      isDisabled: isNow,
      whyNot: isNow ? null : verbs.whyNotRole,
      onPress: () => verbs.onRole(user, role),
    };
  });
  return (
    <Menu
      label={`${GROUP_TEXTS.roles[user.role]}, ${TEXTS.changeRole(user.user.name)}`}
      align="start"
      className={styles['roleButton'] ?? ''}
      icon={
        <>
          <RoleLabel role={user.role} />
          <ChevronDown size={12} aria-hidden="true" />
        </>
      }
      items={items}
    />
  );
}

interface KeyStateMarkProps {
  readonly name: string;
  readonly state: KeyState;
  readonly onLook: () => void;
}

/** State of a person's key: verified, trusted on first use, changed. */
function KeyStateMark({ name, state, onLook }: KeyStateMarkProps) {
  if (state === 'none') return <span className={keyStateStyles['text']}>{TRUST_TEXTS.states.none}</span>;
  const Icon = state === 'verified' ? ShieldCheck : state === 'changed' ? ShieldAlert : ShieldQuestionMark;
  return (
    <span className={keyStateStyles['mark']} data-state={state}>
      <IconButton
        label={TRUST_TEXTS.stateOf(name, TRUST_TEXTS.states[state])}
        tooltip={TRUST_TEXTS.stateHints[state]}
        icon={<Icon size={16} />}
        onPress={onLook}
      />
    </span>
  );
}
